#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The signal-safe core is four folders and one link unit. All files of unwinder/core, profile/core, sampler/core and
# sampler/python belong to libcore.la, except files of other architectures; no other file does. A header there has at most 60 lines of
# function bodies.
. "$srcdir/tests/tap.sh"

folders="unwinder/core profile/core sampler/core sampler/python"
limit=60

# core_sources: the sources from which make builds libcore.la.
core_sources() {
	make -s -C "$builddir" list-core | grep "\.[ch]$" | sed "s|^$srcdir/||; s|^\(\.\./\)*||; s|^\./||" | sort -u
}

# core_files TREE: the files in the folders, without files of architectures other than the host's.
core_files() {
	host=$(readlink "$builddir/unwinder/core/arch_host.h" | sed 's/.*arch_//; s/\.h$//')
	others=$(sed -n 's/^if ARCH_\([^ ]*\).*/\1/p' "$srcdir/unwinder/arch.mk" | grep -vx "$host" | paste -s -d '|' -)
	# The words are split on purpose.
	# shellcheck disable=SC2086
	(cd "$1" && find $folders -name '*.[ch]' | grep -vE "_(${others:-none})\\.[ch]\$" | sort)
}

# check_unit SOURCES FILES: names each file that only one of the two lists has.
check_unit() {
	comm -23 "$1" "$2" | sed 's/$/ is in the link unit, not in its folders/'
	comm -13 "$1" "$2" | sed 's/$/ is in a folder of the core, not in the link unit/'
	cmp -s "$1" "$2"
}

# check_members ARCHIVE SOURCES: the archive has exactly the objects of the sources.
check_members() {
	objects=$(ar t "$1" | sed 's/^libcore_la-//; s/\.o$//' | sort)
	wanted=$(sed -n 's|.*/\(.*\)\.c$|\1|p' "$2" | sort)
	[ "$objects" = "$wanted" ] || { echo "the archive has: $objects"; return 1; }
}

# bodies TREE: `FILE LINES` of function bodies in each header of the core, also for headers without any.
bodies() {
	# The words are split on purpose.
	# shellcheck disable=SC2086
	(cd "$1" && find $folders -name '*.h' | sort | xargs awk '
		/^\{/ { inside = 1; next }
		/^\}/ { inside = 0 }
		inside { n[FILENAME]++ }
		END { for (file in n) print file, n[file] }')
}

# check_bodies TREE: names each header with too many lines.
check_bodies() {
	bodies "$1" | awk -v limit=$limit '
		{ seen = 1 }
		$2 > limit { print $1 " has " $2 " lines of function bodies; it may have " limit; bad = 1 }
		END { exit !seen ? 99 : bad }'
}

# try_bodies FILE N: judges a copy of the headers in which FILE has another function of N lines.
try_bodies() {
	rm -rf "$scratch/tree"
	for folder in $folders; do
		mkdir -p "$scratch/tree/$folder" && cp "$srcdir/$folder"/*.h "$scratch/tree/$folder/" || return 2
	done
	chmod -R u+w "$scratch/tree"
	{
		printf 'static inline void more(void)\n{\n'
		seq "$2" | sed 's/.*/\t;/'
		printf '}\n'
	} >>"$scratch/tree/$1"
	check_bodies "$scratch/tree"
}

tap_scratch
core_sources >"$scratch/sources"
core_files "$srcdir" >"$scratch/in-folders"
[ -s "$scratch/sources" ] || broken "make names no source of the core"
check "the core's folders are its link unit" check_unit "$scratch/sources" "$scratch/in-folders"
check "the archive has the objects of these files" check_members "$builddir/.libs/libcore.a" "$scratch/sources"
check "a header of the core has at most $limit lines of function bodies" check_bodies "$srcdir"

{ cat "$scratch/sources"; echo src/text/text.c; } | sort >"$scratch/list"
check_fails "a file from elsewhere is found" check_unit "$scratch/list" "$scratch/in-folders"
check_fails "its object in the archive is found" check_members "$builddir/.libs/libcore.a" "$scratch/list"
grep -v /handler.c "$scratch/sources" >"$scratch/list"
check_fails "a file that is left out is found" check_unit "$scratch/list" "$scratch/in-folders"
check_fails "a long function in a header is found" try_bodies unwinder/core/walk.h $limit
plan
