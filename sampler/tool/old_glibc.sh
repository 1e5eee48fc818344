# SPDX-License-Identifier: Apache-2.0
# Makes the stand-in for a library of old_glibc.txt: old_glibc.sh LIST LIBRARY FIRST_VERSION OUTPUT COMPILER...
# It has each function under the version that the list gives. Only the linker sees it.
list=$1 library=$2 first=$3 output=$4
shift 4
functions() {
	while read -r name function version; do
		[ "$name" = "$library" ] || continue
		version=$(printf '%s\n' "$version" "$first" | sort -V | tail -n 1)
		echo "$function $version"
	done <"$list" | sort -k 2,2
}
functions | sed 's/\(.*\) .*/void \1(void) {}/' >"$output.c" &&
	functions | awk '$2 != at { if (at) print "};"; at = $2; print "GLIBC_" at " {" } { print "\t" $1 ";" }
		END { print "};" }' >"$output.map" &&
	"$@" -w -shared -nostdlib -fPIC -fno-builtin "-Wl,-soname,$library" "-Wl,--version-script=$output.map" \
		-o "$output" "$output.c"
