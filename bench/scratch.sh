# SPDX-License-Identifier: Apache-2.0
# Where a benchmark runs, and a folder for what it makes, gone at its end: `. "${0%/*}/scratch.sh"`.
here=$(pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ompprof-bench.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
