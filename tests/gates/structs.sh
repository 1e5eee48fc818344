#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No struct of the product has more than 40 members, and no part of struct thread more than 15. The gate counts members
# in the debug information of the library and of the command.
. "$srcdir/tests/tap.sh"

# Structs of ours that still have more: NAME MEMBERS. They may not grow, and no struct may be added.
large='profile 42'

# members OBJECT...: `struct NAME MEMBERS` for each struct in their debug information, and `part NAME MEMBERS` for each
# member of struct thread that is a struct.
members() {
	for object; do
		readelf --debug-dump=info "$object" 2>/dev/null
	done | awk '
		/DW_TAG_/ {
			if (/DW_TAG_compile_unit/)
				unit++
			split($0, at, /[<>]/)
			offset = unit "," at[4]
			above[at[2]] = offset
			owner = at[2] > 0 ? above[at[2] - 1] : ""
			tag = $0
			sub(/.*\(DW_TAG_/, "", tag)
			sub(/\).*/, "", tag)
			if (tag == "member" && owner in n)
				n[owner]++
			if (tag == "structure_type")
				n[offset] = 0
			next
		}
		tag == "structure_type" && /DW_AT_name/ { sub(/.*: /, ""); name[offset] = $0 }
		tag == "member" && /DW_AT_type/ && name[owner] == "thread" {
			sub(/.*<0x/, "")
			sub(/>.*/, "")
			part[unit "," $0] = 1
		}
		END {
			for (s in n)
				if (name[s] != "") {
					print "struct", name[s], n[s]
					if (s in part)
						print "part", name[s], n[s]
				}
		}' | sort -u
}

# names TREE: the structs that the sources of the product define.
names() {
	(cd "$1" && find sampler unwinder profile attribution src -name '*.[ch]' -exec \
		sed -n 's/^\(static \)\{0,1\}struct \([a-z_0-9]*\) {$/\2/p' {} + | sort -u)
}

# check_structs OURS OBJECT...: names each struct that is too large. Returns 99 if it sees no struct of ours.
check_structs() {
	ours=$1
	shift
	members "$@" | awk -v ours="$ours" -v large="$large" '
		BEGIN {
			split(ours, list, "\n")
			for (i in list)
				is_ours[list[i]] = 1
			if (split(large, word, " ") == 2)
				may[word[1]] = word[2]
		}
		!($2 in is_ours) { next }
		{ seen = 1 }
		$1 == "struct" && $3 > 40 && $3 > may[$2] { print "struct " $2 " has " $3 " members"; bad = 1 }
		$1 == "part" && $3 > 15 { print "part of a thread, " $2 ", has " $3 " members"; bad = 1 }
		END { exit !seen ? 99 : bad }'
}

tap_scratch
library=$builddir/.libs/libompprof.so
[ -r "$library" ] || broken "the library '$library' is not there"
command=$builddir/.libs/ompprof
[ -r "$command" ] || command=$builddir/ompprof
readelf --debug-dump=info "$library" 2>/dev/null | grep -q DW_TAG_structure_type ||
	skip_all "the library has no debug information"
ours=$(names "$srcdir")
check "no struct is too large" check_structs "$ours" "$library" "$command"
parts=$(members "$library" | grep -c '^part thread_')
[ "$parts" -ge 10 ] || broken "only $parts parts of struct thread are seen"

# made NAME MEMBERS: an object with struct NAME of so many members in a struct thread.
made() {
	{
		echo "struct $1 {"
		seq "$2" | sed 's/.*/	int m&;/'
		printf '};\nstruct thread { struct %s part; };\nstruct thread made;\n' "$1"
	} >"$scratch/made.c"
	${CC:-cc} -g -c -o "$scratch/made.o" "$scratch/made.c" || broken "cannot compile"
}

made many 41
check_fails "a struct with 41 members is found" check_structs many "$scratch/made.o"
made thread_many 16
check_fails "a part with 16 members is found" check_structs thread_many "$scratch/made.o"
made thread_many 15
check "a part with 15 members is none" check_structs thread_many "$scratch/made.o"
: >"$scratch/none.c"
${CC:-cc} -g -c -o "$scratch/none.o" "$scratch/none.c" || broken "cannot compile"
check_structs many "$scratch/none.o" >/dev/null
is "an object without structs is no pass" "$?" 99
plan
