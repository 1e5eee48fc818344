# SPDX-License-Identifier: Apache-2.0
# ompprof export: what the formats' own readers make of its files.
EXPORT_TESTS = \
	%D%/chrome.sh \
	%D%/command.sh \
	%D%/firefox.sh \
	%D%/inlined.sh \
	%D%/names.sh \
	%D%/phases.sh \
	%D%/pprof.sh \
	%D%/readers.sh \
	%D%/speedscope.sh \
	%D%/times.sh \
	%D%/totals.sh
TESTS += $(EXPORT_TESTS)
EXTRA_DIST += $(EXPORT_TESTS) \
	%D%/chrome.js \
	%D%/export.sh \
	%D%/firefox.js \
	%D%/pprof.py \
	%D%/profiler_cli.js \
	%D%/report_times.js \
	%D%/shown.sh \
	%D%/speedscope.js \
	%D%/times.js \
	%D%/times.py \
	%D%/totals.py
