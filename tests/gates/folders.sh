#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A folder of the product or of the tests has 5 to 60 files, and one of them is local.mk. A folder with folders in it may
# have fewer. local.mk lists each file of its folder (`%D%/NAME`), or all at once (`EXTRA_DIST += %D%`), and no file of
# another folder of the tests. Files of one architecture are listed in unwinder/arch.mk.
. "$srcdir/tests/tap.sh"

fewest=5 most=60
parts="unwinder profile sampler attribution src python tests"

# tree_files TREE: the files that people wrote, which git does not ignore.
tree_files() {
	(cd "$1" && if [ -e .git ] && git ls-files >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard $parts |
			while read -r file; do [ ! -e "$file" ] || echo "$file"; done
	else
		find $parts -type f
	fi | sort)
}

# check_sizes TREE: names each folder that has too few or too many files.
check_sizes() {
	tree_files "$1" | awk -v fewest=$fewest -v most=$most '
		{
			folder = $0
			sub(/\/[^\/]*$/, "", folder)
			n[folder]++
			while (sub(/\/[^\/]*$/, "", folder))
				has_folders[folder] = 1
		}
		END {
			for (folder in n)
				if (n[folder] > most || (n[folder] < fewest && !(folder in has_folders))) {
					print folder " has " n[folder] " files"
					bad = 1
				}
			exit bad
		}'
}

# check_lists TREE: names each file that the fragment of its folder does not list, and each listed file of others.
check_lists() {
	(cd "$1" && tree_files . | grep -v -e '_x86_64\.[ch]$' -e '_aarch64\.[ch]$' -e '^unwinder/arch.mk$' | awk '
		# read_list FOLDER: the files that its fragment lists.
		function read_list(folder,    file, line, text, word, i, count) {
			file = folder "/local.mk"
			while ((getline line < file) > 0) {
				if (line ~ /^#/)
					continue
				text = text line
				if (sub(/\\$/, " ", text))
					continue
				count = split(text, word, /[ \t=:,()]+/)
				for (i = 1; i <= count; i++) {
					if (word[i] == "%D%")
						lists[folder, "*"] = 1
					if (word[i] ~ /^%D%\/[^\/]*$/)
						lists[folder, substr(word[i], 5)] = 1
					if (text ~ /^[A-Za-z0-9_%]*(SOURCES|EXTRA_DIST|TESTS) *\+?=/ &&
						(word[i] ~ /^%D%\/.*\// || word[i] ~ /^tests\/.*\.[a-z]+$/)) {
						print file " lists " word[i] ", which is in another folder"
						bad = 1
					}
				}
				text = ""
			}
			close(file)
		}
		{
			folder = name = $0
			sub(/\/[^\/]*$/, "", folder)
			sub(/.*\//, "", name)
			if (!(folder in seen)) {
				seen[folder] = 1
				read_list(folder)
			}
			if (name == "local.mk")
				has_fragment[folder] = 1
			else if (!((folder, name) in lists) && !((folder, "*") in lists)) {
				print $0 " is not in " folder "/local.mk"
				bad = 1
			}
		}
		END {
			for (folder in seen)
				if (!(folder in has_fragment)) {
					print folder " has no local.mk"
					bad = 1
				}
			exit bad
		}')
}

# tree: a copy of the files that the gate looks at.
tree() {
	rm -rf "$scratch/tree"
	mkdir "$scratch/tree" || broken "cannot copy the tree"
	for part in $parts; do
		cp -R "$srcdir/$part" "$scratch/tree/" || broken "cannot copy the tree"
	done
	chmod -R u+w "$scratch/tree"
}

tap_scratch
[ "$(tree_files "$srcdir" | wc -l)" -gt 500 ] || broken "no files seen under '$srcdir'"
check "a folder has $fewest to $most files" check_sizes "$srcdir"
check "the fragment of a folder lists its files" check_lists "$srcdir"

tree
mkdir "$scratch/tree/src/new" && : >"$scratch/tree/src/new/local.mk"
check_fails "a folder with one file is found" check_sizes "$scratch/tree"
tree
for n in $(seq $((most + 1))); do : >"$scratch/tree/src/views/new_$n.c"; done
check_fails "a folder with too many files is found" check_sizes "$scratch/tree"
tree
: >"$scratch/tree/sampler/core/new.c"
check_fails "a file that is in no list is found" check_lists "$scratch/tree"
tree
echo 'EXTRA_DIST += tests/cli/report.sh' >>"$scratch/tree/tests/html/local.mk"
check_fails "a file in the list of another folder is found" check_lists "$scratch/tree"
tree
rm "$scratch/tree/src/top/local.mk"
check_fails "a folder without a fragment is found" check_lists "$scratch/tree"
plan
