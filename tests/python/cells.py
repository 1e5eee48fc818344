# SPDX-License-Identifier: Apache-2.0
"""Executes the code cells of a notebook, in order and in one namespace: cells.py NOTEBOOK

The last expression of a cell is printed. An error ends it, with the number of the cell.
"""
import ast
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cells = json.load(file)["cells"]
names = {"__name__": "__main__"}
for n, cell in enumerate(cells):
    if cell["cell_type"] != "code":
        continue
    assert not cell["outputs"], f"cell {n} has outputs"
    tree = ast.parse("".join(cell["source"]), f"cell {n}")
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"cell {n}", "exec"), names)
    if last:
        print(eval(compile(ast.Expression(last.value), f"cell {n}", "eval"), names))
