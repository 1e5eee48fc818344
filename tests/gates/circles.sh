#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In these folders no files call each other in a circle: a reader who follows a call never comes back to a file.
. "$srcdir/tests/tap.sh"

# calls LIBRARY SOURCE...: `CALLER CALLEE` for each file among the sources that takes a symbol from another file.
calls() {
	library=$1
	shift
	nm -A -P "$library" | awk -v sources="$*" '
		BEGIN {
			n = split(sources, names, " ")
			for (i = 1; i <= n; i++) {
				sub(/.*\//, "", names[i])
				sub(/\.c$/, "", names[i])
				is_ours[names[i]] = 1
			}
		}
		{
			file = $1
			sub(/^[^[]*\[/, "", file)
			sub(/\.o\]:$/, "", file)
			sub(/^lib[a-z]*_a-/, "", file)
		}
		!(file in is_ours) { next }
		$3 == "U" { user[++n_uses] = file; used[n_uses] = $2 }
		$3 ~ /^[TDBRW]$/ { owner[$2] = file }
		END {
			for (i = 1; i <= n_uses; i++)
				if (used[i] in owner && owner[used[i]] != user[i])
					print user[i], owner[used[i]]
		}' | sort -u
}

# check_circles LIBRARY SOURCE...: names the files of a circle. Returns 99 if no call is seen.
check_circles() {
	found=$(calls "$@")
	[ -n "$found" ] || { echo "no call seen in '$1'"; return 99; }
	loop=$(echo "$found" | tsort 2>&1 >/dev/null)
	[ -z "$loop" ] || { echo "$loop"; return 1; }
}

# check_folder LIBRARY FOLDER...
check_folder() {
	library=$builddir/$1
	shift
	[ -r "$library" ] || broken "the library '$library' is not there"
	sources=
	for folder; do
		sources="$sources $(echo "$srcdir/$folder"/*.c)"
	done
	check_circles "$library" $sources >/dev/null
	[ $? -ne 99 ] || broken "no call seen in $*"
	check "no circle in $*" check_circles "$library" $sources
}

tap_scratch
check_folder attribution/libattribution.a attribution/tree attribution/select attribution/metrics attribution/merge
check_folder profile/libprofile.a profile/reader
check_folder src/libcommand.a src/report
check_folder src/libcommand.a src/top

cd "$scratch" || broken "no scratch folder"
echo 'void there(void); void back(void) {} void here(void) { there(); }' >here.c
echo 'void back(void); void there(void) { back(); }' >there.c
${CC:-cc} -c here.c there.c && ar rc libboth.a here.o there.o || broken "cannot compile"
check_fails "a circle is found" check_circles libboth.a here.c there.c
plan
