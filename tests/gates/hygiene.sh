#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Small rules that a reader should not have to check: no dead code, no promises in comments, no
# endless file, a licence line in each file, and a safety word for each in-process function.
. "$srcdir/tests/tap.sh"

parts='unwinder profile sampler attribution src python tests demo bench m4 man'
promises='TO''DO|FIX''ME|X''XX'

# source_files TREE: all text that people wrote here, without prose and recorded data.
source_files() {
	(cd "$1" && find $parts -type f \
		! -path 'tests/data/*' ! -path 'm4/libtool.m4' ! -path 'm4/lt*.m4' \
		\( -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' -o -name '*.sh' -o -name '*.py' -o -name '*.mk' -o -name '*.m4' \
		-o -name '*.[1-8]' \) -print | sort
	cd "$1" && ls configure.ac Makefile.am quickstart 2>/dev/null)
}

check_promises() {
	! (cd "$1" && source_files . | tr '\n' '\0' | xargs -0 grep -nwE "$promises") || return 1
	! (cd "$1" && source_files . | grep '\.[ch]' | tr '\n' '\0' |
		xargs -0 grep -nE '^[[:space:]]*#[[:space:]]*if[[:space:]]+0') || return 1
}

# Marks of a merge that was not finished.
check_marks() {
	! (cd "$1" && grep -rnE --exclude-dir=build --exclude-dir=.git '^(<{7}|>{7}) ' .)
}

check_length() {
	long=$(cd "$1" && source_files . | tr '\n' '\0' | xargs -0 wc -l |
		awk '$2 != "total" && $1 > 900 { print $2 " has " $1 " lines" }')
	[ -z "$long" ] || { echo "$long"; return 1; }
}

check_licence() {
	bare=$(cd "$1" && source_files . | tr '\n' '\0' | xargs -0 awk '
		function close_file() { if (file != "" && !has) print file }
		FNR == 1 { close_file(); file = FILENAME; has = 0 }
		FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ { has = 1 }
		END { close_file() }')
	[ -z "$bare" ] || { echo "no licence line: $bare"; return 1; }
}

# in_process_headers TREE: the headers whose functions run in the profiled process.
in_process_headers() {
	(cd "$1" && find sampler unwinder profile/core -name '*.h')
}

# check_contracts TREE: each function of these headers has a comment that ends with a safety word.
check_contracts() {
	# awk expands the program, not the shell.
	# shellcheck disable=SC2016
	(cd "$1" && in_process_headers . | tr '\n' '\0' | xargs -0 awk '
		FNR == 1 { comment = ""; inside = 0; declaration = "" }
		declaration != "" { declaration = declaration " " $0 }
		/^\/\*/ { comment = ""; inside = 1 }
		inside {
			comment = comment " " $0
			if (/\*\/[ \t]*$/) inside = 0
			next
		}
		/^[ \t]*$/ || /^#/ { comment = "" }
		/^[a-z_].*\(/ && declaration == "" && !/^(typedef|_Static_assert|static_assert)/ {
			declaration = $0
			line = FNR
			name = $0
			sub(/\).*/, "", name)
			gsub(/__attribute__ *\(\([^)]*/, "", name)
			text = comment
			gsub(/[ \t]*\*\/[ \t]*$/, "", text)
			if (text !~ /(Signal-safe|Any thread|Owning thread only)\.$/) {
				print FILENAME ":" line ": no safety word: " name
				bad = 1
			}
		}
		/;[ \t]*$/ || /[{}][ \t]*$/ { declaration = "" }
		END { exit bad }') || return 1
}

# try_line FILE TEXT: a copy of the tree in which FILE, and no other, ends with more TEXT.
tried=
try_line() {
	if [ -z "$tried" ]; then
		mkdir "$scratch/tree" || return 2
		for part in $parts; do
			cp -R "$srcdir/$part" "$scratch/tree/" || return 2
		done
		chmod -R u+w "$scratch/tree"
	else
		rm -f "$scratch/tree/$tried"
		[ ! -e "$srcdir/$tried" ] || cp "$srcdir/$tried" "$scratch/tree/$tried" || return 2
		chmod -f u+w "$scratch/tree/$tried"
	fi
	tried=$1
	printf '%b' "$2" >>"$scratch/tree/$1"
}

# Samples by the wall clock end sleeps early, and nobody knows that another runtime is faster.
check_advice() {
	bad_advice=$(grep -n -e 'run -e wall' -e 'run .*--runtime' -e 'or --runtime' "$1"/src/findings/advice*.c \
		"$1"/src/report/report_warnings*.c "$1"/src/views/view_*.c "$1"/html/*.js 2>/dev/null)
	printf '%s\n' "$bad_advice"
	[ -z "$bad_advice" ]
}

tap_scratch
[ "$(source_files "$srcdir" | wc -l)" -gt 30 ] || broken "no sources seen under '$srcdir'"
[ -n "$(in_process_headers "$srcdir")" ] || broken "no in-process header seen under '$srcdir'"
check "no dead code and no promises" check_promises "$srcdir"
check "no marks of a merge" check_marks "$srcdir"
check "no file has more than 900 lines" check_length "$srcdir"
check "each file has its licence line" check_licence "$srcdir"
check "each in-process function states its safety" check_contracts "$srcdir"

check "no advice to do what changes the program" check_advice "$srcdir"

try_line src/main.c "/* ${promises%%|*}: later */\n" || broken "cannot copy the tree"
check_fails "a promise is found" check_promises "$scratch/tree"
try_line src/main.c '#if 0\n#endif\n' || broken "cannot copy the tree"
check_fails "dead code is found" check_promises "$scratch/tree"
try_line man/ompprof.1 '>>>>>>> other\n' || broken "cannot copy the tree"
check_fails "marks of a merge are found" check_marks "$scratch/tree"
try_line src/main.c "$(awk 'BEGIN { for (i = 0; i < 900; i++) printf "\\n" }')" ||
	broken "cannot copy the tree"
check_fails "a long file is found" check_length "$scratch/tree"
try_line src/new.c 'int x;\n' || broken "cannot copy the tree"
check_fails "a file without a licence line is found" check_licence "$scratch/tree"
try_line unwinder/core/walk.h '\n/* Does things. */\nint walk_things(int x);\n' ||
	broken "cannot copy the tree"
check_fails "a function without a safety word is found" check_contracts "$scratch/tree"
try_line src/findings/advice.c '\n/* run -e wall */\n' || broken "cannot copy the tree"
check_fails "bad advice is found" check_advice "$scratch/tree"
plan
