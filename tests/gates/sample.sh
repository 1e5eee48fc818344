#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A reader who follows a sample from the signal to its insertion into the tree opens few files: handler.c and the files
# whose functions it reaches. Clocks and walkers, which are behind pointers, and code after a sample do not count. Counters
# are read after the sample.
. "$srcdir/tests/tap.sh"

most=10

# reached FOLDER...: the objects in these folders that handler.o reaches, by the symbols that they take from each other.
reached() {
	find "$@" -name "libcore_la-*.o" | while read -r object; do
		nm "$object" 2>/dev/null | sed "s|^|${object##*libcore_la-} |"
	done | awk '
		NF == 4 && $3 ~ /[A-TV-Z]/ { home[$4] = $1 }
		NF == 3 && $2 == "U" { wants[$1] = wants[$1] " " $3 }
		END {
			n = 1
			list[1] = "handler.o"
			seen["handler.o"] = 1
			seen["sample_follow.o"] = seen["clock.o"] = seen["counters.o"] = 1
			for (i = 1; i <= n; i++) {
				n_names = split(wants[list[i]], names, " ")
				for (k = 1; k <= n_names; k++) {
					object = home[names[k]]
					if (object != "" && !(object in seen)) {
						seen[object] = 1
						list[++n] = object
					}
				}
			}
			for (i = 1; i <= n; i++)
				print list[i]
		}'
}

# check_few FOLDER...: whether the number is within the limit.
check_few() {
	reached "$@" >"$scratch/reached"
	cat "$scratch/reached"
	[ "$(wc -l <"$scratch/reached")" -le $most ]
}

tap_scratch
find "$builddir/sampler/core" "$builddir/profile/core" -name 'libcore_la-*.o' | grep -q handler.o ||
	broken "the core's objects are not there"
is "what follows a sample is apart" "$(reached "$builddir/sampler/core" | grep -c blame.o)" 0
check "a sample goes through at most $most files to the tree" check_few "$builddir/sampler/core" "$builddir/profile/core"
[ "$(wc -l <"$scratch/reached")" -gt 5 ] || broken "only these files are reached: $(cat "$scratch/reached")"
mkdir "$scratch/more" || broken "no room"
find "$builddir/sampler/core" "$builddir/profile/core" -name 'libcore_la-*.o' -exec cp {} "$scratch/more" \;
echo 'void catch_up(void *thread); void more(void); void catch_up(void *thread) { more(); }' >"$scratch/a.c"
echo 'void more(void); void most(void); void more(void) { most(); }' >"$scratch/b.c"
echo 'void most(void); void most(void) { }' >"$scratch/c.c"
${CC:-cc} -c -o "$scratch/more/libcore_la-catch_up.o" "$scratch/a.c" &&
	${CC:-cc} -c -o "$scratch/more/libcore_la-more.o" "$scratch/b.c" &&
	${CC:-cc} -c -o "$scratch/more/libcore_la-most.o" "$scratch/c.c" || broken "cannot compile"
check_fails "more files are found" check_few "$scratch/more"
plan
