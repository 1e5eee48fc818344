#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which folder calls which, as the linker sees it: an object may use a function or a variable of another folder only
# if folders.txt has that folder above its own. The in-process half and the offline half are looked at apart,
# because both have functions of the same name. If the in-process library has a function of the C library's too, such
# as pthread_create, the name means the C library's.
. "$srcdir/tests/tap.sh"

table=$srcdir/tests/gates/folders.txt
exported=$srcdir/sampler/tool/libompprof.map

# objects BUILD: the objects of the product, of both halves. The prefix is the library or program that Automake names.
# An object without a source comes from an older build, and is left out.
objects() {
	for part in unwinder profile sampler attribution src; do
		find "$1/$part" -name '*.o'
	done | grep -E '/((lib(bound|command|core|ompprof|profile|walker)|ompprof_walk_libunwind)_l?a-|ompprof-)?[a-z0-9_]*\.o$' |
		while read -r object; do
			source=${object%/*}
			source=${source%/.libs}/${object##*[/-]}
			source=${source#"$1"/}
			source=${source%.o}.c
			[ ! -e "$srcdir/$source" ] && [ ! -e "$1/$source" ] || echo "$object"
		done
}

# check_calls LIST: names each call against the table. LIST names objects. Returns 99 when it sees none.
# shellcheck disable=SC2016
check_calls() {
	tr '\n' '\0' <"$1" | xargs -0 nm -A 2>/dev/null | awk -v table="$table" -v exported="$exported" '
	BEGIN {
		while ((getline line < exported) > 0)
			if (match(line, /[a-z_0-9]+;/))
				of_libc[substr(line, RSTART, RLENGTH - 1)] = 1
		while ((getline line < table) > 0)
			if (line !~ /^#/ && split(line, w, ":") == 2)
				may[w[1]] = w[2] " " w[1] " "
	}
	# One line of nm: OBJECT:ADDRESS TYPE NAME, or OBJECT: TYPE NAME.
	{
		object = $0
		sub(/:[^:]*$/, "", object)
		name = $NF
		type = $(NF - 1)
		half = object ~ /\/\.libs\// ? "in-process" : "offline"
		file = object
		sub(/\.libs\//, "", file)
		match(file, /\/(unwinder|profile|sampler|attribution|src)\/([a-z_]+\/)?[^\/]*$/)
		file = substr(file, RSTART + 1)
		folder = file
		sub(/\/[^\/]*$/, "", folder)
		if (type ~ /^[A-TV-Z]$/ && type != "N")
			owner[half, name] = folder
		else if (type == "U" || type == "w") {
			n++
			user[n] = file
			from[n] = folder
			wanted[n] = name
			side[n] = half
		}
	}
	END {
		for (i = 1; i <= n; i++) {
			if (!((side[i], wanted[i]) in owner) || wanted[i] in of_libc)
				continue
			seen = 1
			to = owner[side[i], wanted[i]]
			if (index(" " may[from[i]], " " to " ") == 0) {
				print user[i] " uses " wanted[i] " of " to ": " from[i] " may use only:" may[from[i]]
				bad = 1
			}
		}
		exit !seen ? 99 : bad
	}'
}

# check_all_built LIST: each folder of the table that has C files has an object.
check_all_built() {
	for folder in $(sed -n 's/^\([^#:]*\):.*/\1/p' "$table"); do
		ls "$srcdir/$folder"/*.c >/dev/null 2>&1 || continue
		grep -qE "/$folder/(\.libs/)?[^/]*\.o\$" "$1" || { echo "no object of $folder"; return 1; }
	done
}

# function_of FOLDER: a function of the folder.
function_of() {
	grep -E "/$1/(\.libs/)?[^/]*\.o\$" "$scratch/objects" | tr '\n' '\0' | xargs -0 nm 2>/dev/null |
		awk 'NF == 3 && $2 == "T" { print $3; exit }'
}

# with_call FOLDER FUNCTION: adds to the list an object of the folder that calls the function.
with_call() {
	mkdir -p "$scratch/build/$1/.libs" "$scratch/build/$1"
	echo "void $2(void); void new_caller(void); void new_caller(void) { $2(); }" >"$scratch/new.c"
	case $1 in
	src/*) new_object=$scratch/build/$1/libcommand_a-new.o ;;
	*) new_object=$scratch/build/$1/.libs/libcore_la-new.o ;;
	esac
	${CC:-cc} -c -o "$new_object" "$scratch/new.c" || broken "cannot compile"
	{ cat "$scratch/objects"; echo "$new_object"; } >"$scratch/more"
	check_calls "$scratch/more"
}

tap_scratch
objects "$builddir" >"$scratch/objects"
check_all_built "$scratch/objects" >"$scratch/log" || broken "$(cat "$scratch/log")"
check_calls "$scratch/objects" >/dev/null
[ $? -ne 99 ] || broken "no call seen under '$builddir'"
check "calls go to folders above" check_calls "$scratch/objects"

check_fails "the core that calls the tool is found" \
	with_call sampler/core "$(function_of sampler/tool)"
check_fails "text that calls a view is found" \
	with_call src/text "$(function_of src/views)"
: >"$scratch/none"
check_calls "$scratch/none"
is "no object is no pass" "$?" 99
plan
