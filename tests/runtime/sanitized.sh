#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The scripts' cases and random events with a tool that AddressSanitizer and UndefinedBehaviorSanitizer look into: a report
# ends the case's process. One test a file. SANITIZED_SEEDS random cases of each kind. What reports say of these cases is
# not judged again: the command is not sanitized here, and the profile's figures are judged.
. "$srcdir/tests/tap.sh"
player=$builddir/tests/runtime/scripted_sanitized
[ -x "$player" ] || skip_all "no AddressSanitizer for ${CC:-this compiler}"
tap_scratch
SCRIPTED_VIRTUAL=$builddir/tests/runtime/.libs/sanitized.so
# In a file, as it also warns of stacks that are the program's own (places.txt).
ASAN_OPTIONS=detect_leaks=0:exitcode=66:log_path=$scratch/report
UBSAN_OPTIONS=print_stacktrace=1:exitcode=66:log_path=$scratch/report
SCRIPTED_UNREPORTED=yes
export SCRIPTED_VIRTUAL SCRIPTED_UNREPORTED ASAN_OPTIONS UBSAN_OPTIONS

# The tool is one that is looked into.
is "the library is sanitized" "$(nm -D "$SCRIPTED_VIRTUAL" | grep -c ' __asan_init')" 1

# play NAME FILE: one test.
play() {
	if "$player" "$2" >"$scratch/out" 2>&1; then
		ok "sanitized: $1"
	else
		not_ok "sanitized: $1" "$(grep -v '^ok' "$scratch/out" | head -n 60
			cat "$scratch"/report.* 2>/dev/null | grep -v WARNING | head -n 60)"
	fi
	rm -f "$scratch"/report.*
}

for file in "$srcdir"/tests/runtime/cases/*.txt; do
	play "$(basename "$file")" "$file"
done
for kind in well ill; do
	python3 "$srcdir/tests/runtime/random.py" $kind 1001 $((1000 + ${SANITIZED_SEEDS:-50})) \
		>"$scratch/$kind.txt" || broken "no random events"
	play "random events, $kind" "$scratch/$kind.txt"
done
plan
