# SPDX-License-Identifier: Apache-2.0
# From `ompprof report --format json`: a line for each node with samples,
# "WORK_S<tab>SAMPLES<tab>PATH", where PATH is the names from the root inwards, with the kind in place
# of the name of regions, tasks and truncated paths.
.nodes as $nodes
| $nodes[]
| select(.samples > 0)
| [ .work_s, .samples,
    ( [ recurse(if .parent == null then empty else $nodes[.parent] end)
        | (if .kind == "region" or .kind == "task" or .kind == "truncated" then "{" + .kind + "}" else .name end) ]
      | reverse | join(";") ) ]
| @tsv
