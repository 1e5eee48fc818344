# SPDX-License-Identifier: Apache-2.0
"""hatchet gets the tree with all its figures: graph.py PROFILE"""
import sys

import ompprof

profile = ompprof.read(sys.argv[1])
graph = profile.graphframe()
nodes = profile.json["nodes"]
assert len(graph.dataframe) == len(list(graph.graph.traverse())) == len(nodes)
assert abs(graph.dataframe["work_s"].sum() - sum(node["work_s"] for node in nodes)) < 1e-6
root = graph.graph.roots[0]
for column in graph.exc_metrics:
    whole = graph.dataframe.loc[root, column + " (inc)"]
    assert abs(whole - graph.dataframe[column].sum()) < 1e-6, column
for node in graph.graph.traverse():
    parents = [graph.dataframe.loc[parent, "id"] for parent in node.parents]
    expected = nodes[graph.dataframe.loc[node, "id"]]["parent"]
    assert parents == ([] if expected is None else [expected])
assert "work_s (inc)" in graph.inc_metrics and graph.default_metric == "time"
assert nodes[0]["name"] in graph.tree()
busy = graph.filter(lambda row: row["work_s"] > 0, squash=True)
assert abs(busy.dataframe["work_s"].sum() - graph.dataframe["work_s"].sum()) < 1e-6
