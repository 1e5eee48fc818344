# SPDX-License-Identifier: Apache-2.0
"""The tree of a profile for hatchet."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .command import need
from .tables import inclusive

if TYPE_CHECKING:
    import hatchet

    from .profile import Profile

# Nodes below one parent in which these keys are the same are one node: ompprof-json(5).
_IDENTITY = ("name", "module", "file", "line", "address")


def _graph_nodes(rows: list[dict[str, Any]]) -> dict[int, Any]:
    """hatchet's node for each id."""
    Node, Frame = need("hatchet.node").Node, need("hatchet.frame").Frame
    nodes: dict[int, Any] = {}
    for row in rows:
        identity = {key: row[key] for key in _IDENTITY if key in row}
        parent = nodes.get(row["parent"])
        nodes[row["id"]] = node = Node(Frame(identity, type=row["kind"]), parent)
        if parent is not None:
            parent.add_child(node)
    return nodes


def graph_of(profile: Profile) -> hatchet.GraphFrame:
    """A GraphFrame with a row for each node and its own graph.

    Metrics: `samples` and all columns in seconds of `Profile.nodes`, and `time` (thread-seconds),
    the sum of work, overhead and waits. A metric with " (inc)" has the nodes below, too. The type
    of a frame is the node's kind. Where the clock counts events, `events` is the default metric.
    Raises Error if hatchet is missing.
    """
    hatchet = need("hatchet", "llnl-hatchet")
    frame = profile.nodes.assign(id=profile.nodes.index)
    waits = [column for column in frame if column.startswith("wait.")]
    seconds = [column for column, unit in frame.attrs["units"].items() if unit == "s"]
    own = ["samples", *(["events"] if "events" in frame else []), *seconds]
    frame[own] = frame[own].fillna(0)
    frame["time"] = frame[["work_s", "overhead_s", *waits]].sum(axis=1)
    own.append("time")
    for column in own:
        frame[column + " (inc)"] = inclusive(frame, column)
    nodes = _graph_nodes(profile.json["nodes"])
    graph = need("hatchet.graph").Graph([node for node in nodes.values() if not node.parents])
    graph.enumerate_traverse()
    frame["node"] = [nodes[id] for id in frame.index]
    frame = frame.rename(columns={"kind": "type"}).set_index("node").sort_index()
    default = "events" if "events" in own else "time"
    return hatchet.GraphFrame(graph, frame, own, [f"{column} (inc)" for column in own], default)
