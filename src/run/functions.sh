#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# functions.sh TABLE: prints the table of tests/gcc/functions.txt as a table in C, for
# src/run/run_proof.c. Functions that libomps lack are left out: ompprof sees in the libomp itself
# that they are missing.
awk '
BEGIN {
	print "/* Made by src/run/functions.sh. */"
	print "#include \"src/run/run_proof.h\"\n"
	print "const struct gomp_function gomp_functions[] = {"
}
/^#/ || $2 == "lacks" { next }
split($1, name, "@") != 2 || ($2 != "proven" && $2 != "wrong") || NF < 3 {
	print FILENAME ":" FNR ": not as its head says" >"/dev/stderr"
	exit 1
}
{
	why = "NULL"
	if ($2 == "wrong") {
		why = $0
		sub(/^[^ ]+ +wrong +/, "", why)
		why = "\"" why "\""
	}
	printf "\t{ \"%s\", \"%s\", %s },\n", name[1], name[2], why
}
END { print "\t{ NULL, NULL, NULL },\n};" }' "${1:?the table}"
