# SPDX-License-Identifier: Apache-2.0
# From `ompprof report --format json`: a line for each node and kind of wait,
# "KIND<tab>SECONDS<tab>PATH", where PATH is the names from the root inwards, with the kind in place
# of the name of regions and tasks.
.nodes as $nodes
| $nodes[]
| ( [ recurse(if .parent == null then empty else $nodes[.parent] end)
      | select(.kind != "wait")
      | (if .kind == "region" or .kind == "task" then "{" + .kind + "}" else .name end) ]
    | reverse | join(";") ) as $path
| .wait | to_entries[]
| [ .key, .value, $path ]
| @tsv
