# SPDX-License-Identifier: Apache-2.0
# The list of what becomes of each function of libgomp (symbols.txt) has each function of the installed libgomp, and says
# what the provider's two libraries do.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
live_need gcc nm
list=$srcdir/tests/gcc/symbols.txt
libgomp=$(gcc -print-file-name=libgomp.so)

# functions LIBRARY: the names of what it defines for programs of OpenMP.
functions() {
	nm -D --defined-only "$1" | sed -n 's/.* [TiW] \(\(GOMP\|omp\)_[A-Za-z0-9_]*\).*/\1/p' | sort -u
}

# rows: each name of the standard input with the kind of the first pattern that fits it, or 'none'.
rows() {
	while read -r function; do
		kind=none
		while read -r pattern what _; do
			# shellcheck disable=SC2254
			case $function in
			$pattern) kind=$what && break ;;
			esac
		done <"$live_folder/list"
		echo "$function $kind"
	done
}

# of KIND...: the names of these kinds.
of() {
	for kind in "$@"; do
		sed -n "s/ $kind\$//p" "$live_folder/rows"
	done | sort
}

set -f
grep -v '^#' "$list" >"$live_folder/list"
functions "$libgomp" >"$live_folder/libgomp"
[ "$(wc -l <"$live_folder/libgomp")" -gt 200 ] || skip_all "'$libgomp' is no shared library of GCC"
functions "$builddir/.libs/libompprof-gomp.so" >"$live_folder/provider"
functions "$builddir/.libs/libompprof-gomp-events.so" >"$live_folder/events"
sort -u "$live_folder/libgomp" "$live_folder/provider" "$live_folder/events" | rows >"$live_folder/rows"
is "the list has each function" "$(of none)" ""
is "libompprof-gomp.so defines what the list says" "$(of event)" "$(cat "$live_folder/provider")"
is "libompprof-gomp-events.so, too" "$(of event asked)" "$(cat "$live_folder/events")"
grep -v '^GOMP_taskyield ' "$list" >"$live_folder/list"
rows <"$live_folder/libgomp" >"$live_folder/rows"
is "a function that is missing is found" "$(of none)" "GOMP_taskyield"
plan
