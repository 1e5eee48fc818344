#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Only two kinds of files name an architecture or its registers: the files of an architecture, NAME_ARCHITECTURE.c
# and .h, and the list unwinder/arch.mk. arch.txt has exceptions, each with its reason.
. "$srcdir/tests/tap.sh"

allowed=$srcdir/tests/gates/arch.txt

# architectures TREE: the names in the list, as a regular expression.
architectures() {
	sed -n 's/^if ARCH_\([^ ]*\).*/\1/p' "$1/unwinder/arch.mk" | paste -s -d '|' -
}

# check_names TREE: shows each line that names an architecture. Returns 99 if there is no list.
check_names() {
	archs=$(architectures "$1")
	[ -n "$archs" ] || return 99
	names="$archs|x86.64|aarch64|rdtsc|WALK_(R[A-Z0-9]{1,2}|X[0-9]+|XSP)\\b|REG_R[A-Z0-9]|%?\\br[sbi]p\\b"
	(cd "$1" && find unwinder profile sampler attribution src include html m4 configure.ac Makefile.am -type f \
		! -name 'libtool.m4' ! -name 'lt*.m4' | sort |
		grep -vE "_($archs)\\.[ch]\$|^unwinder/arch\\.mk\$") >"$scratch/files"
	awk -F '\t' '!/^#/ { print $1 }' "$allowed" | grep -vxFf - "$scratch/files" >"$scratch/judged"
	! (cd "$1" && tr '\n' '\0' <"$scratch/judged" | xargs -0 grep -niE "$names")
}

# check_reasons: each exception is a file that needs it, and has a reason.
check_reasons() {
	awk -F '\t' '!/^#/ && NF < 2 { print "no reason: " $0; bad = 1 } END { exit bad }' "$1" || return 1
	awk -F '\t' '!/^#/ { print $1 }' "$1" | while read -r file; do
		grep -qiE "$names" "$srcdir/$file" || { echo "needs no exception: $file"; exit 1; }
	done
}

# try_line FILE TEXT: judges a copy of the tree in which FILE ends with TEXT.
try_line() {
	rm -rf "$scratch/tree"
	mkdir "$scratch/tree" || return 2
	for part in unwinder profile sampler attribution src include html m4 configure.ac Makefile.am; do
		cp -R "$srcdir/$part" "$scratch/tree/" || return 2
	done
	chmod -R u+w "$scratch/tree"
	printf '%s\n' "$2" >>"$scratch/tree/$1"
	check_names "$scratch/tree"
}

tap_scratch
check_names "$srcdir" >/dev/null
[ $? -ne 99 ] || broken "no architecture in '$srcdir/unwinder/arch.mk'"
check "only an architecture's files name it" check_names "$srcdir"
check "each exception is needed and has a reason" check_reasons "$allowed"
printf 'src/main.c\n' >"$scratch/list"
check_fails "an exception without a reason is found" check_reasons "$scratch/list"
printf 'src/main.c\tnone\n' >"$scratch/list"
check_fails "an exception that is not needed is found" check_reasons "$scratch/list"
check_fails "a test of the machine is found" try_line src/main.c '#if defined(__x86_64__)'
check_fails "the machine of a file is found" try_line src/run/loader.c '/* EM_AARCH64 */'
check_fails "a register is found" try_line sampler/core/handler.c '/* WALK_RSP */'
check_fails "a counter is found" try_line sampler/core/tool.h '/* __builtin_ia32_rdtsc() */'
check_fails "an architecture in configure is found" try_line configure.ac '# x86_64-*-linux-gnu'
plan
