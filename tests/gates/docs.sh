#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The documents are true of the tree: each file and each name of the code that they name exists. Comments name only what
# the code has, too. Each folder is on the map. Each page can be reached from the map, is short, and fits into 100
# columns.
. "$srcdir/tests/tap.sh"

# The top-level folders; a word that begins with the name of such a folder is the path of a file.
roots='unwinder profile sampler gomp attribution src html include man python tests bench demo docs m4 build-aux'

# pages TREE: the documents, by their paths in the tree.
pages() {
	(cd "$1" && find docs -name '*.md' | sort && ls README.md HACKING.md bench/RESULTS.md)
}

# words TREE: `PAGE WORD` for each path with a folder in the text, and for each file in backquotes.
words() {
	(cd "$1" && pages . | xargs awk -v roots="$roots" '
		BEGIN { n = split(roots, w, " "); for (i = 1; i <= n; i++) root[w[i]] = 1 }
		FNR == 1 { fence = 0 }
		/^```/ { fence = !fence }
		{
			n = split($0, w, /[^A-Za-z0-9_.*\/-]+/)
			for (i = 1; i <= n; i++) {
				sub(/[.-]+$/, "", w[i])
				if (split(w[i], part, "/") > 1 && part[1] in root)
					print FILENAME, w[i]
			}
			n = fence ? 0 : split($0, w, "`")
			for (i = 2; i <= n; i += 2)
				if (w[i] ~ /^[A-Za-z0-9_*-]+\.(c|h|sh|py|mk|js|def|map|md)$/)
					print FILENAME, w[i]
		}')
}

# missing TREE: those of words TREE that name no file and no source of a program. NAME and * match any text, and a word
# without a folder matches in any.
missing() {
	# shellcheck disable=SC2086
	(cd "$1" && find -L $roots && ls) >"$scratch/all"
	words "$1" | sort -u | awk -v all="$scratch/all" '
		BEGIN {
			while ((getline path < all) > 0) {
				paths = paths path "\n"
				base = path
				sub(/.*\//, "", base)
				known[path] = known[base] = 1
				while (sub(/\.[^.\/]*$/, "", path))
					known[path] = 1
			}
		}
		{
			regex = $2
			sub(/\/$/, "", regex)
			if (regex in known)
				next
			gsub(/NAME/, "*", regex)
			gsub(/[.]/, "[.]", regex)
			if (gsub(/[*]/, "[^\n/]*", regex) && match("\n" paths, "[\n/]" regex "([.][^\n/]*)?\n"))
				next
			print
		}'
}

check_paths() {
	missing=$(missing "$1" | sed 's/ / names /; s/$/, which does not exist/')
	[ -z "$missing" ] || { echo "$missing"; return 1; }
}

# names TREE: `NAME PAGE` for each name of the code: single words of code with a '_' that are no file. A name that ends
# in '_' or '_*' is a prefix of names of the product. libgomp's functions (GOMP_) are left out.
names() {
	(cd "$1" && pages . | xargs awk '
		FNR == 1 { fence = 0 }
		/^```/ { fence = !fence }
		{
			n = fence ? 0 : split($0, w, "`")
			for (i = 2; i <= n; i += 2) {
				if (w[i] !~ /^[A-Za-z0-9_.>*-]+(\(\))?$/ || w[i] ~ /\.(c|h|sh|py|mk|js|def|map|md|txt)$/)
					continue
				count = split(w[i], part, /[^A-Za-z0-9_]+/)
				for (k = 1; k <= count; k++)
					if (part[k] ~ /_/ && part[k] !~ /NAME|^_[a-z]|^GOMP_/)
						print part[k], FILENAME
			}
		}') | sort -u
}

# in_comments TREE: `NAME FILE` for each word with a '_' in comments of C. Names of OMPT, ELF, DWARF and others are left out.
in_comments() {
	(cd "$1" && find unwinder profile sampler attribution src tests bench demo -name '*.[ch]' -o -name '*.def' |
		xargs awk '
		/\/\*/ || /^[ \t]*\*/ {
			sub(/.*\/\*/, "")
			count = split($0, part, /[^A-Za-z0-9_]+/)
			for (k = 1; k <= count; k++)
				if (part[k] ~ /[a-zA-Z0-9]_/ && part[k] !~ /NAME|FILE|FORMAT|KEY|^_[a-z]|_s$/ &&
					part[k] !~ /^(ompt?|GOMP|gomp|DW|DF|DMGL|CPUCLOCK|def|opcode|pthread|rt|__m|__tls|__wrap)_|^clock_getcpu/)
					print part[k], FILENAME
		}') | sort -u
}

# code TREE FOLDER...: the lines of the sources without the documents and the comments of C.
code() (
	cd "$1" || return 2
	shift
	for root; do
		[ "$root" = docs ] || [ ! -d "$root" ] || grep -rhIvE '^[ 	]*(/\*|\*[ /])' "$root"
	done | sed 's|/\*.*||'
)

# check_names TREE: the code has each name.
check_names() {
	{ names "$1"; in_comments "$1"; } | sort >"$scratch/named"
	# shellcheck disable=SC2086
	{
		code "$1" $roots | grep -oE '[A-Za-z0-9_]+' | grep _
		code "$1" unwinder profile sampler attribution src tests/gcc tests/walker | grep -oE '[A-Za-z0-9_]+' | grep _ |
			sort -u | awk '{ while (sub(/_[^_]*$/, "")) print $0 "_" }'
	} | sort -u >"$scratch/known"
	unknown=$(join -v 1 "$scratch/named" "$scratch/known")
	[ -z "$unknown" ] || { echo "not in the sources:" "$unknown"; return 1; }
}

# check_prose TREE: names of the code are in backquotes. So a rename of names leaves words of the text alone.
check_prose() {
	bad=$(cd "$1" && for page in $(pages . | grep ^docs/); do
		awk '/^```/ { fence = !fence; next } !fence' "$page" | tr '\n' ' ' | sed 's/`[^`]*`//g' |
			grep -oE '(^|[ (])[a-z0-9]+_[a-z0-9_]+' | sed "s|^|$page: no backquotes: |"
	done)
	[ -z "$bad" ] || { echo "$bad"; return 1; }
}

# check_links TREE: links between pages lead to a page, and the map leads to each page.
check_links() {
	bad=$(cd "$1" && for page in $(pages .); do
		sed 's/](/\n](/g' "$page" | sed -n 's/^](\([^):#]*\)[)#].*/\1/p' | while read -r link; do
			[ -e "$(dirname "$page")/$link" ] || echo "$page: no $link"
		done
	done
	find docs -name '*.md' ! -path docs/README.md | while read -r page; do
		grep -qF "](${page#docs/})" docs/README.md || echo "$page is not on the map"
	done)
	[ -z "$bad" ] || { echo "$bad"; return 1; }
}

# check_map TREE: each folder of the product and of the tests has a line, and each gate.
check_map() {
	missing=$(cd "$1" && {
		sed -n 's/^\([^#:]*\):.*/\1/p' tests/gates/folders.txt
		find tests -mindepth 1 -type d ! -path 'tests/data/*'
		echo html include man m4 bench demo docs python python/ompprof | tr ' ' '\n'
	} | while read -r folder; do
		grep -q "^| \`$folder/\`" docs/README.md || echo "no line for $folder/"
	done
	for gate in tests/gates/*.sh; do
		grep -qF "| \`$gate\`" docs/build-and-test.md || echo "no line for $gate"
	done)
	[ -z "$missing" ] || { echo "$missing"; return 1; }
}

# check_sizes TREE: 15 kB a page, 100 columns a line. A character of UTF-8 counts once: its further bytes are removed.
check_sizes() {
	bad=$(cd "$1" && for page in $(pages .); do
		[ "$(wc -c <"$page")" -le 15000 ] || echo "$page has more than 15,000 bytes"
		LC_ALL=C tr -d '\200-\277' <"$page" | LC_ALL=C awk -v page="$page" \
			'length > 100 { print page ":" NR " has " length " columns" }'
	done)
	[ -z "$bad" ] || { echo "$bad"; return 1; }
}

# try CHECK PAGE TEXT: judges a copy of the tree's documents with one more line in PAGE.
try() {
	rm -rf "$scratch/tree"
	mkdir "$scratch/tree" || return 2
	(cd "$srcdir" && for part in $roots README.md HACKING.md; do
		[ "$part" = docs ] || ln -s "$PWD/$part" "$scratch/tree/" || exit 2
	done) || return 2
	rm "$scratch/tree/README.md"
	cp "$srcdir/README.md" "$scratch/tree/" && cp -R "$srcdir/docs" "$scratch/tree/" || return 2
	chmod -R u+w "$scratch/tree/README.md" "$scratch/tree/docs"
	echo "$3" >>"$scratch/tree/$2"
	"$1" "$scratch/tree"
}

# try_without LINE: judges the map without the lines that have this text.
try_without() {
	try check_map docs/README.md "" >/dev/null || return 2
	grep -vF "$1" "$srcdir/docs/README.md" >"$scratch/tree/docs/README.md"
	check_map "$scratch/tree"
}

LC_ALL=C
export LC_ALL
tap_scratch
[ "$(pages "$srcdir" | wc -l)" -gt 3 ] || broken "no page seen under '$srcdir'"
[ "$(words "$srcdir" | wc -l)" -gt 100 ] || broken "no path seen in the pages"
[ "$(names "$srcdir" | wc -l)" -gt 100 ] || broken "no name seen in the pages"
[ "$(in_comments "$srcdir" | wc -l)" -gt 100 ] || broken "no name seen in the comments"
check "each file that a page names exists" check_paths "$srcdir"
check "each name of the code that a page or a comment names exists" check_names "$srcdir"
check "names of the code are in backquotes" check_prose "$srcdir"
check "links lead to pages, and the map to each" check_links "$srcdir"
check "the map has each folder" check_map "$srcdir"
check "pages have at most 15 kB and 100 columns" check_sizes "$srcdir"
# shellcheck disable=SC2016
check_fails "a file with a folder that does not exist is found" \
	try check_paths docs/README.md 'See `sampler/core/nothing.c`.'
# shellcheck disable=SC2016
check_fails "a file without a folder that does not exist is found" \
	try check_paths README.md 'See `nothing_at_all.c`.'
# shellcheck disable=SC2016
check_fails "a name that the code does not have is found" \
	try check_names docs/README.md "$(printf 'See `thread->no_%s_member`.' such)"
# shellcheck disable=SC2016
check_fails "a prefix that the code does not have is found" \
	try check_names docs/README.md "$(printf 'See `no_%s_*`.' such)"
check_fails "a name without backquotes is found" try check_prose docs/README.md 'Files that are name_list here.'
check_fails "a link to no page is found" try check_links docs/README.md 'See [it](nothing.md).'
check_fails "a page that is not on the map is found" try check_links docs/new.md 'New.'
check_fails "a folder that is not on the map is found" try_without '`sampler/core/`'
check_fails "a page that is too long is found" \
	try check_sizes docs/glossary.md "$(yes 'a line' | head -n 2200)"
check_fails "a line that is too wide is found" try check_sizes docs/glossary.md "$(printf '%0101d' 0)"
plan
