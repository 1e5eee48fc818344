# SPDX-License-Identifier: Apache-2.0
# Objects that come and go: two libraries that lie in the same place, one after the other, keep their
# own names, and so do such that are loaded by a relative path, and such without call frame information.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq readelf
live_row omp19-clang19-O2 omp14-clang14-O2 omp14-gcc-O2

executable=$(matrix_build reload.c "$row") || broken "cannot build reload.c"
folder=$(cd "${executable%/*}" && pwd)
command=$(cd "${ompprof%/*}" && pwd)/${ompprof##*/}
lib=$(cd "$row_lib" && pwd)

# judge NAME ONE TWO [TURNS]: runs it in its own folder and reports from here.
judge() {
	(cd "$folder" && LD_LIBRARY_PATH=$lib "$command" run -q -F 250 -o "$live_folder/out" -- \
		$loader ./reload "$factor" "$2" "$3" ${4:+"$4"}) >"$live_folder/log" 2>&1 ||
		{ not_ok "$1: runs" "$(cat "$live_folder/log")"; return; }
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>&1
	one=$(live_share "$live_folder/json" "${callers}one_kernel$")
	two=$(live_share "$live_folder/json" "${callers}two_kernel$")
	if near "$one" 50 10 && near "$two" 50 10; then
		ok "$1: $one % and $two %"
	else
		not_ok "$1: $one % and $two %" \
			"$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
	fi
}

callers="^;main;call_library;library_work;" factor=0.5 loader=
judge "one after the other" "$folder/reload_one_kernel" "$folder/reload_two_kernel"
judge "the other way round" "$folder/reload_two_kernel" "$folder/reload_one_kernel"
judge "by relative paths" ./reload_one_kernel ./reload_two_kernel
# The process' file is then the loader's.
loader=$(readelf -lW "$executable" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
judge "by ld.so" "$folder/reload_one_kernel" "$folder/reload_two_kernel"
loader= factor=2
judge "many times in turn" "$folder/reload_one_kernel" "$folder/reload_two_kernel" 40
# Callers of code without call frame information are guesses.
callers=";"
judge "the same without call frame information" "$folder/reload_one_bare" "$folder/reload_two_bare" 40
plan
