#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A header that says "Used by FILE, FILE and FILE only." is included by these files, and by files whose names begin with
# the header's name. FILE is a name without its folder, and may have a '*'. A header *_internal.h is included by files of
# its own folder, or by files whose names begin as it does. Other words for a promise are refused: "Included by ... only",
# "Called by ... only" and "for them only".
. "$srcdir/tests/tap.sh"

# promises TREE: `HEADER FILE...` for each promise, and `HEADER ?` for a promise in other words.
promises() {
	(cd "$1" && find unwinder profile sampler attribution src -name '*.h' -exec awk '
		function report(    text, words) {
			while (match(all, /(Used|Included|Called) by ([^.;:]|\.[ch])* only[.,;]|; for them only/)) {
				words = text = substr(all, RSTART, RLENGTH)
				all = substr(all, RSTART + RLENGTH)
				sub(/^Used by /, "", text)
				sub(/ only\.$/, "", text)
				gsub(/,|( and )/, " ", text)
				if (words !~ /^Used/ || text !~ /^[a-z_*. ]+$/ || (text " ") ~ /[^ch] |\. /)
					text = "?"
				print name, text
			}
		}
		FNR == 1 { report(); name = FILENAME; all = "" }
		{ sub(/^[ \t]*(\/?\*+\/?)?[ \t]*/, ""); all = all $0 " " }
		END { report() }' {} +)
}

# includes TREE: `HEADER FILE` for each include of a header of ours.
includes() {
	(cd "$1" && find unwinder profile sampler attribution src -name '*.[ch]' -exec \
		awk -F '"' '/^[ \t]*#[ \t]*include "/ { print $2, FILENAME }' {} +)
}

# check_only TREE: names each broken promise. Returns 99 when it sees no promise.
check_only() {
	promises "$1" >"$scratch/promises"
	includes "$1" >"$scratch/includes"
	[ -s "$scratch/promises" ] && [ -s "$scratch/includes" ] || return 99
	awk '
	function base(file) { sub(/.*\//, "", file); return file }
	function folder(file) { sub(/\/[^\/]*$/, "", file); return file }
	function stem(file) { file = base(file); sub(/(_internal)?\.h$/, "", file); return file }
	function matches(name, pattern) {
		gsub(/\./, "\\.", pattern)
		gsub(/\*/, ".*", pattern)
		return name ~ "^" pattern "$"
	}
	NR == FNR && $2 == "?" { print $1 ": say \"Used by FILE, FILE and FILE only.\""; bad = 1; next }
	NR == FNR {
		header = $1
		sub(/^[^ ]* /, "")
		may[header] = $0
		next
	}
	{
		if (index(base($2), stem($1)) == 1)
			next
		if ($1 ~ /_internal\.h$/ && folder($1) != folder($2)) {
			print $2 " includes " $1 ", which is of another folder"
			bad = 1
		}
		if (!($1 in may))
			next
		n = split(may[$1], pattern, " ")
		for (i = 1; i <= n && !matches(base($2), pattern[i]); i++)
			;
		if (i > n) { print $2 " includes " $1 ", used by " may[$1] " only"; bad = 1 }

	}
	END { exit bad }' "$scratch/promises" "$scratch/includes"
}

# try TREE_FILE LINE: judges a copy of the tree in which the file has one more line.
try() {
	rm -rf "$scratch/tree"
	mkdir "$scratch/tree" || return 2
	for part in unwinder profile sampler attribution src; do
		cp -R "$srcdir/$part" "$scratch/tree/" || return 2
	done
	chmod -R u+w "$scratch/tree"
	[ -e "$scratch/tree/$1" ] || return 2
	echo "$2" >>"$scratch/tree/$1"
	check_only "$scratch/tree" >"$scratch/said"
	status=$?
	cat "$scratch/said"
	[ "$status" -ne 99 ] || broken "no promise seen"
	return $status
}

tap_scratch
check_only "$srcdir" >/dev/null
[ $? -ne 99 ] || broken "no promise seen under '$srcdir'"
check "headers are used only by the files that they name" check_only "$srcdir"
check_fails "another file is found" try src/top/top_rows.c '#include "src/info/info.h"'
check_fails "a promise that is false is found" try src/text/text.h '/* Used by main.c only. */'
check_fails "... over two lines" try src/text/text.h "/* Used by
 * main.c and json.c only. */"
check_fails "a promise in other words is found" try src/text/text.h '/* Included by main.c only. */'
check_fails "an internal header of another folder is found" \
	try src/top/top_rows.c '#include "src/merge/merge_internal.h"'
plan
