# SPDX-License-Identifier: Apache-2.0
# Sets $python to a Python with the modules that a test needs: `choose_python MODULE...`, after tests/tap.sh. Without one
# the whole test is left out. The package is found in the tree, and runs the command that was built.

export PYTHONPATH="$srcdir/python" PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
export OMPPROF="${OMPPROF_TEST_COMMAND:-$builddir/ompprof}"
[ -x "$OMPPROF" ] || broken "the command '$OMPPROF' is not there"

# choose_python MODULE...
choose_python() {
	for python in python3 /usr/bin/python3; do
		if "$python" -c 'import importlib, sys; [importlib.import_module(m) for m in sys.argv[1:]]' "$@" 2>/dev/null; then
			return
		fi
	done
	skip_all "no python3 here has $*"
}
