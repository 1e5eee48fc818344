#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pip installs the package from the tree, and it has the version of the command.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/python/choose.sh"
choose_python venv ensurepip setuptools wheel
tap_scratch
unset PYTHONPATH

# Building writes beside the sources, and needs no network: setuptools is there.
install() {
	cp -R "$srcdir/python" "$scratch/python" && chmod -R u+w "$scratch/python" &&
		"$python" -m venv --system-site-packages "$scratch/venv" &&
		"$scratch/venv/bin/python" -m pip -q install --no-index --no-deps --no-build-isolation "$scratch/python"
}

check "pip install" install
cd "$scratch/venv" || broken "no environment was made"
check "it is typed" ls lib/python3*/site-packages/ompprof/py.typed
is "it has the command's version" "$(bin/python -c 'import ompprof; print("ompprof", ompprof.__version__)')" \
	"$("$OMPPROF" --version | head -n 1)"
plan
