#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# speedscope in a browser and the Firefox Profiler's command show of a program that ran what the report has.
. "$srcdir/tests/tap.sh"
part=${1?firefox or speedscope}
command -v node >/dev/null || skip_all "node is not installed"
readers=$builddir/readers
[ -d "$readers/node_modules" ] || skip_all "the readers are not installed (tests/readers/fetch.sh)"
. "$srcdir/tests/export/export.sh"
[ -x "$builddir/demo/ljmd" ] || skip_all "the demo is not built"
cd "$scratch" || broken "cannot enter the scratch folder"
OMP_NUM_THREADS=3 "$ompprof" run -q -o live -- "$builddir/demo/ljmd" >said 2>&1 || broken "the demo failed"

reports=
for thread in $("$ompprof" report --format json -i live | jq '.threads | sort_by(.thread)[].thread'); do
	"$ompprof" report --format json -i live --thread "$thread" >"report.$thread" || broken "no report"
	reports="$reports report.$thread"
done
export_to "$part" profile.json live || broken "no export"
PROFILER_CLI_SESSION_DIR=$scratch/sessions
export PROFILER_CLI_SESSION_DIR
# The reports are words on purpose.
# shellcheck disable=SC2086
case $part in
firefox)
	node "$srcdir/tests/export/firefox.js" \
		"$readers/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js" profile.json $reports
	;;
speedscope)
	set -- $reports
	node "$srcdir/tests/export/speedscope.js" "$readers" "$scratch/profile.json" "$1"
	;;
esac
