#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which of libgomp's functions, with their versions, each libomp of the tests lacks:
#   sh tests/gcc/missing.sh BUILD-FOLDER [-l]    a count for each libomp; with -l the names

symbols() {
	readelf -W --dyn-syms "$1" |
		awk '$7 != "UND" && $5 != "LOCAL" && $8 ~ /@/ { sub("@@", "@", $8); print $8 }' | sort -u
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
libgomp=$(gcc -print-file-name=libgomp.so) || exit 1
symbols "$libgomp" | grep -v '@GOMP_PLUGIN' >"$scratch/libgomp"
echo "$(wc -l <"$scratch/libgomp") functions in $libgomp"
for libomp in "${1:?the build folder}"/runtimes/*/lib/libomp.so.5; do
	[ -r "$libomp" ] || continue
	symbols "$libomp" | comm -23 "$scratch/libgomp" - >"$scratch/missing"
	echo "$(wc -l <"$scratch/missing") are not in $libomp"
	[ "${2-}" != -l ] || sed 's/^/  /' "$scratch/missing"
done
