#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which part includes which: src -> attribution -> profile reader -> layout <- writer <- sampler ->
# unwinder. What both halves need of profile/ (diag, event_names, frequency, launcher, perf_event) stands apart
# and includes layout at most. The in-process parts know no libdw, no libunwind (but for the plug-in) and no src.
. "$srcdir/tests/tap.sh"

# inside_files TREE: the files of profile/ that are in the profiled process, as local.mk lists them.
inside_files() {
	awk '/^CORE_PROFILE/ { on = 1 }
		on { for (i = 1; i <= NF; i++) if ($i ~ /^%D%\//) { sub(/^%D%/, "profile", $i); print $i } }
		on && !/\\$/ { exit }' "$1/profile/local.mk"
}

# includes TREE: `FILE HEADER` for each include of the product's parts; HEADER with <> or without.
includes() {
	(cd "$1" && find unwinder profile sampler attribution src -name '*.[ch]' -exec \
		awk '/^[ \t]*#[ \t]*include/ {
			name = $0
			sub(/^[^<"]*/, "", name)
			quote = substr(name, 1, 1)
			sub(/^["<]/, "", name)
			sub(/[">].*/, "", name)
			print FILENAME, quote == "<" ? "<" name ">" : name
		}' {} +)
}

# check_includes TREE: names each include against the direction. Returns 99 when it sees none.
check_includes() {
	includes "$1" | awk -v inside_list="$(inside_files "$1")" '
	BEGIN {
		n = split(inside_list, files, "\n")
		for (i = 1; i <= n; i++)
			inside[files[i]] = 1
		may["unwinder"] = "unwinder"
		may["layout"] = ""
		may["common"] = "common layout"
		may["writer"] = "writer layout common"
		may["sampler"] = "sampler unwinder writer layout common"
		may["reader"] = "reader layout common"
		may["attribution"] = "attribution reader layout common"
		may["src"] = "src attribution reader layout common"
	}
	function part(file) {
		if (file == "profile/layout.h") return "layout"
		if (file ~ /^profile\/(diag|event_names|frequency|launcher|perf_event)\./) return "common"
		if (file in inside) return "writer"
		if (file ~ /^profile\//) return "reader"
		return substr(file, 1, index(file, "/") - 1)
	}
	function offence(why) { print $1 " includes " $2 ": " why; bad = 1 }
	{
		seen = 1
		from = part($1)
		foreign = $2 ~ /^<(elfutils\/|dwarf\.h|libelf|gelf|libunwind|omp\.h)/
		if ($2 ~ /^</) {
			if (foreign && from ~ /^(unwinder|writer|sampler|layout|common)$/ &&
			    $1 != "unwinder/walk_libunwind.c")
				offence("not in the profiled process")
			if ($2 == "<omp-tools.h>" && from != "sampler" && $1 != "src/doctor_ompt.c")
				offence("only the sampler and the doctor know OMPT")
		} else if ($2 ~ /\//) {
			if (index(" " may[from] " ", " " part($2) " ") == 0)
				offence("a " from " file may include only: " may[from])
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
	echo "#include $2" >>"$scratch/tree/$1"
	check_includes "$scratch/tree"
}

tap_scratch
check_includes "$srcdir" >/dev/null
[ $? -ne 99 ] || broken "no include seen under '$srcdir'"
[ -n "$(inside_files "$srcdir")" ] || broken "no CORE_PROFILE in profile/local.mk"
check "includes point in the permitted direction" check_includes "$srcdir"
check_fails "layout that includes the sampler is found" \
	try_include profile/layout.h '"sampler/thread.h"'
check_fails "unwinder that includes the profile is found" \
	try_include unwinder/walk.h '"profile/layout.h"'
check_fails "sampler that includes src is found" try_include sampler/tool.c '"src/message.h"'
check_fails "attribution that includes src is found" \
	try_include attribution/tree.c '"src/message.h"'
check_fails "libdw in the profiled process is found" \
	try_include unwinder/walk_fp.c '<elfutils/libdw.h>'
check_fails "libunwind outside its plug-in is found" try_include sampler/tool.c '<libunwind.h>'
plan
