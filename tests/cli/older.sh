#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Profiles of older versions are read, with the figures that the older version showed of them. 0.1.0 recorded a region of
# two threads, of which one has twice the work.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
command -v jq >/dev/null || skip_all "jq is not installed"
tap_scratch
profile=$scratch/0.1.0.ompprof
gzip -dc "$srcdir/tests/data/cli/0.1.0.ompprof.gz" >"$profile" || broken "cannot unpack the profile"

is "0.1.0: the format is an older one" "$("$ompprof" info -i "$profile" --format json | jq -c '.processes[0] | [.format_version, .tool]')" \
	'[5,"0.1.0"]'
"$ompprof" report -i "$profile" --format json >"$scratch/json" || broken "it is not read"
is "0.1.0: wall time, samples and executions" "$(jq -c '[.run.wall_s, .run.samples, .regions[0].executions]' "$scratch/json")" \
	'[0.666789307,650,1]'
is "0.1.0: waits" "$(jq -c '.waits | map([.kind, .wait_s])' "$scratch/json")" \
	'[["barrier",0.169127107],["idle",0.000207913]]'
is "0.1.0: work" "$(jq '[.nodes[].work_s // 0] | add * 1e9 | round' "$scratch/json")" 1150417699
check "0.1.0: one thread makes the other wait" jq -e '.waits[0].causes | map(.blame_s) | add > 0.16' "$scratch/json"
plan
