#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each cell of the notebook runs, on a run of the demo, without a browser. A cell that fails is found.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/python/choose.sh"
choose_python pandas matplotlib
[ -x "$builddir/demo/ljmd" ] || skip_all "the demo is not built"
tap_scratch
cd "$scratch" || broken "cannot enter the scratch folder"
export LJMD="$builddir/demo/ljmd"

# cells NOTEBOOK
cells() {
	"$python" "$srcdir/tests/python/cells.py" "$1" >said 2>&1 || { cat said; return 1; }
}

check "the notebook runs" cells "$srcdir/python/demo.ipynb"
check "... finds the demo's regions" grep -q find_neighbours said
check "... and the loss beside ideal speed-up" grep -q 'load imbalance' said
sed 's/import ompprof/import no_ompprof/' "$srcdir/python/demo.ipynb" >broken.ipynb
check_fails "a cell that fails is found" cells broken.ipynb
plan
