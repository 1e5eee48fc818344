#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# walker_cfi while plugins are opened and closed all the time, see dl_stress.c: no crash, no path that
# is wrong, nearly all paths complete. With WALK_PROVE it takes its time, and asks for a rate.
. "$srcdir/tests/tap.sh"

src=$srcdir/tests/walker
walker=$builddir/.libs/libwalker.a

# compile COMPILER ARGUMENTS...
compile() {
	compiler=$1
	shift
	case $compiler in
	*clang*) set -- -fms-extensions "$@" ;;
	esac
	"$compiler" -O2 -g -D_GNU_SOURCE -I"$srcdir" -I"$builddir" "$@" >"$scratch/log" 2>&1
}

# make_plugins FLAGS...: what the next runs open. The names put those of one thread next to each
# other. Without the start files' _init, which has no call frame information.
make_plugins() {
	for layout in 1 2; do
		compile gcc -fPIC -shared -nostartfiles -DLAYOUT=$layout "$@" \
			"$src/dl_stress_plugin.c" -o "$scratch/layout_$layout.so" ||
			broken "$(cat "$scratch/log")"
		for thread in a b c d; do
			cp "$scratch/layout_$layout.so" "$scratch/plugin_$thread$layout.so" ||
				broken 'no space for the plugins'
		done
	done
}

# is_right SECONDS: judges the last run. How much a machine does in that time is not judged.
is_right() {
	read -r _ samples _ complete _ wrong _ inside _ _ _ cycles _ reused <"$scratch/out" ||
		return 1
	[ "$wrong" -eq 0 ] && [ $(((samples - complete - 1) * 1000)) -le "$samples" ] &&
		[ "$samples" -ge 50 ] && [ "$cycles" -ge $(($1 * least_rate)) ] &&
		[ "$cycles" -ge 10 ] && [ $((inside * 20)) -ge "$samples" ] && [ $((reused * 2)) -ge "$cycles" ]
}

# stress SECONDS NAME COMPILER FLAGS...: one run of the program.
stress() {
	seconds=$1
	name="$2, $1 s"
	shift 2
	if ! command -v "$1" >/dev/null; then
		skip "$name" "no $1"
		return
	fi
	if ! compile "$@" "$src/dl_stress.c" "$src/chain_judge.c" "$walker" -o "$scratch/stress" \
		-lpthread -ldl -lrt; then
		reason=$(head -n 40 "$scratch/log")
		echo 'int main(void) { return 0; }' >"$scratch/can.c"
		if compile "$@" "$scratch/can.c" -o "$scratch/can"; then
			not_ok "$name" "$reason"
		else
			skip "$name" "$1 cannot build anything so"
		fi
		return
	fi
	ASAN_OPTIONS=detect_leaks=0 "$scratch/stress" "$seconds" "$scratch"/plugin_*.so \
		>"$scratch/out" 2>"$scratch/errors"
	status=$?
	if [ $status -eq 0 ] && is_right "$seconds"; then
		ok "$name: $(head -n 1 "$scratch/out")"
	else
		not_ok "$name: status $status" \
			"$(cat "$scratch/out"; head -n 40 "$scratch/errors")"
	fi
}

tap_scratch
[ -r "$walker" ] || broken "the archive '$walker' is not there"
command -v gcc >/dev/null || skip_all 'no gcc'

if [ -n "${WALK_PROVE-}" ]; then
	long=60 short=20 least_rate=1000
else
	long=2 short=1 least_rate=0
fi
make_plugins -Wl,--build-id
stress $long 'plugins that come and go' gcc
for compiler in gcc clang; do
	stress $short "the same by $compiler with address sanitizer" \
		$compiler -fsanitize=address
done
make_plugins -Wl,--build-id=none
stress $short 'plugins without a build-id' gcc

name='a return address in a plugin that is being closed'
compile gcc "$src/dl_race.c" "$walker" -o "$scratch/race" -lpthread || broken "$(cat "$scratch/log")"
"$scratch/race" $short "$scratch/plugin_a1.so" "$scratch/plugin_a2.so" >"$scratch/out" 2>&1
status=$?
if [ $status -eq 0 ]; then
	ok "$name: $(cat "$scratch/out")"
else
	not_ok "$name: status $status"
fi
plan
