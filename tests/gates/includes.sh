#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which folder includes which: folders.txt has a line for each folder, which names only folders above it, so that
# there is no circle. Headers in include/ are for all. The in-process folders know no libdw, no src, and no libunwind except in the plug-in.
. "$srcdir/tests/tap.sh"

table=$srcdir/tests/gates/folders.txt

# includes TREE: `FILE HEADER` for each include of the product's parts; HEADER with <> or without.
includes() {
	(cd "$1" && find unwinder profile sampler attribution src -name '*.[ch]' -exec \
		awk '/^[ \t]*#[ \t]*include/ {
			name = $0
			sub(/^[^<"]*/, "", name)
			quote = substr(name, 1, 1)
			sub(/^["<]/, "", name)
			sub(/[">].*/, "", name)
			if (quote == "" && FILENAME == "unwinder/core/arch.h")
				next
			print FILENAME, quote == "<" ? "<" name ">" : name
		}' {} +)
}

# check_table TABLE: each folder is listed once and names only folders above it.
check_table() {
	awk '/^#/ || NF == 0 { next }
		$1 !~ /:$/ { print "no folder: " $0; bad = 1; next }
		{
			sub(/:$/, "", $1)
			for (i = 2; i <= NF; i++)
				if (!($i in above)) { print $1 " names " $i ", which is not above it"; bad = 1 }
			if ($1 in above) { print $1 " is there twice"; bad = 1 }
			above[$1] = 1
		}
		END { exit bad }' "$1"
}

# check_includes TREE: names each include against the table. Returns 99 when it sees none.
check_includes() {
	includes "$1" | awk -v table="$table" '
	BEGIN {
		while ((getline line < table) > 0)
			if (line !~ /^#/ && split(line, w, ":") == 2)
				may[w[1]] = w[2] " " w[1] " "
	}
	function folder(file) { sub(/\/[^\/]*$/, "", file); return file }
	function offence(why) { print $1 " includes " $2 ": " why; bad = 1 }
	{
		seen = 1
		from = folder($1)
		if (!(from in may))
			offence("folders.txt has no line for " from)
		foreign = $2 ~ /^<(elfutils\/|dwarf\.h|libelf|gelf|libunwind|omp\.h)/
		if ($2 ~ /^</) {
			if (foreign && from !~ /^(src|attribution)/ && $1 != "unwinder/walk_libunwind.c")
				offence("not in the profiled process")
			if ($2 == "<omp-tools.h>" && from !~ /^sampler/ && $1 !~ /\/doctor_ompt\.c$/)
				offence("only the sampler and the doctor know OMPT")
		} else if ($2 ~ /\//) {
			if (folder($2) != "include" && index(" " may[from], " " folder($2) " ") == 0)
				offence("a file of " from " may include only:" may[from])
		} else if ($2 != "config.h")
			offence("name the folder")
	}
	END { exit !seen ? 99 : bad }'
}

# try_include FILE HEADER: judges a copy of the tree in which FILE also includes HEADER.
try_include() {
	rm -rf "$scratch/tree"
	mkdir "$scratch/tree" || return 2
	for part in unwinder profile sampler attribution src; do
		cp -R "$srcdir/$part" "$scratch/tree/" || return 2
	done
	chmod -R u+w "$scratch/tree"
	[ -e "$scratch/tree/$1" ] || return 2
	echo "#include $2" >>"$scratch/tree/$1"
	check_includes "$scratch/tree" >"$scratch/said"
	status=$?
	cat "$scratch/said"
	return $status
}

# try_table LINE: judges the table with one more line.
try_table() {
	{ cat "$table"; echo "$1"; } >"$scratch/table"
	check_table "$scratch/table"
}

tap_scratch
check_includes "$srcdir" >/dev/null
[ $? -ne 99 ] || broken "no include seen under '$srcdir'"
check "folders name only folders above them" check_table "$table"
check_fails "a folder that names one that is not above it is found" try_table "sampler/new: src/new"
check_fails "a folder that is listed twice is found" try_table "src:"
check "includes point in the permitted direction" check_includes "$srcdir"
check_fails "layout that includes the sampler is found" \
	try_include profile/shared/layout.h '"sampler/core/thread.h"'
check_fails "unwinder that includes the profile is found" \
	try_include unwinder/core/walk.h '"profile/shared/layout.h"'
check_fails "sampler that includes src is found" try_include sampler/tool/tool.c '"src/text/message.h"'
check_fails "attribution that includes src is found" \
	try_include attribution/tree/tree.c '"src/text/message.h"'
check_fails "libdw in the profiled process is found" \
	try_include unwinder/core/walk_fp.c '<elfutils/libdw.h>'
check_fails "libunwind outside its plug-in is found" try_include sampler/tool/tool.c '<libunwind.h>'
plan
