#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The walkers on AArch64 against the truth: programs step instruction by instruction, and at random instructions a walk
# must be the list of calls that were made. steps.c does it. tests/aarch64/check.sh builds the programs.
. "$srcdir/tests/tap.sh"
[ "$(uname -m)" = aarch64 ] || skip_all "this is no AArch64"
[ -x "$builddir/tests/aarch64/steps" ] || skip_all "the tests are built for another machine"
checks=${STEPS_CHECKS:-300}
tap_scratch

# value WORD [WAY]: the sum over all ways to walk, or of the lines that begin with WAY.
value() {
	awk -v word="$1" -v way="${2-}" 'way == "" || index($0, way) == 1 { for (i = 1; i < NF; i++) if ($i == word) sum += $(i + 1) }
		END { print sum + 0 }' "$scratch/out"
}

all_exact=0 all_lists=0
for program in "$builddir"/tests/aarch64/programs/*; do
	[ -x "$program" ] || continue
	name=${program##*/}
	if ! timeout 120 env LD_BIND_NOW=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 "$builddir/tests/aarch64/steps" \
		"$builddir/.libs/walksteps.so" "$checks" "${STEPS_EVERY:-23}" "$program" "$builddir/tests/aarch64/plugin.so" \
		>"$scratch/out" 2>"$scratch/err"; then
		not_ok "$name" "$(tail -n 20 "$scratch/err")"
		continue
	fi
	# Without tables nothing proves where an entry of a PLT was called.
	in_place=$(value ended "in place")
	exact=$(value exact) wrong=$(value wrong) ended=$(($(value ended) - in_place))
	lists=$((exact + wrong))
	all_exact=$((all_exact + exact)) all_lists=$((all_lists + lists))
	result="$name: $(value checks) checks in $(value steps) instructions, of the lists $exact exact, $wrong wrong, \
$ended cut short, $in_place without tables, $(value guessed) guessed; $(value strange) strange returns"
	if [ "$exact" -gt 0 ] && [ $((exact * 1000)) -ge $((lists * 995)) ] && [ $((ended * 200)) -le "$exact" ] &&
		[ $((in_place * 10)) -le "$(value exact "in place")" ]; then
		ok "$result"
	else
		not_ok "$result" "$({ awk '/^at / { on = / wrong: / } on' "$scratch/out" && cat "$scratch/out"; } | head -n 60)"
	fi
done
if [ "$all_lists" -gt 0 ] && [ $((all_exact * 1000)) -ge $((all_lists * 999)) ]; then
	ok "of $all_lists complete lists $all_exact are exact"
else
	not_ok "of $all_lists complete lists $all_exact are exact, fewer than 99.9 %"
fi
plan
