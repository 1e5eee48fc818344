#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# walker_cfi with libraries whose unwind data is damaged or missing: nothing faults, every walk ends, and
# no path is called complete without its callers. damaged.c loads each library and walks in it.
. "$srcdir/tests/tap.sh"

src=$srcdir/tests/walker
walker=$builddir/.libs/libwalker.a
holes=-Wl,-z,max-page-size=0x200000
todo='TO''DO'

# must_build ARGUMENTS...
must_build() {
	gcc -O2 -g -D_GNU_SOURCE -I"$srcdir" -I"$builddir" "$@" >"$scratch/log" 2>&1 ||
		broken "$(cat "$scratch/log")"
}

# library FLAGS...: without the start files, so that the sources' code comes first.
library() {
	must_build -shared -fPIC -fomit-frame-pointer -nostartfiles -Wl,-z,separate-code "$@" \
		-o "$scratch/library.so"
}

# damage HOW
damage() {
	"$scratch/damage" "$1" "$scratch/library.so" >"$scratch/log" 2>&1 ||
		broken "$(cat "$scratch/log")"
}

# judge_as WHAT NAME
judge_as() {
	status=0
	"$scratch/damaged" "$scratch/library.so" "$1" >"$scratch/out" 2>&1 || status=$?
	if [ $status -eq 0 ]; then
		ok "$2: $(head -n 1 "$scratch/out")"
	else
		not_ok "$2: status $status${3:+ # $3}" "$(cat "$scratch/out")"
	fi
}

# judge NAME [WHAT [DIRECTIVE]]: once with tables, once before any objects are listed.
judge() {
	judge_as "${2:-any}" "$1"
	judge_as in-place "$1, in place" "${3-}"
}

tap_scratch
[ -r "$walker" ] || broken "the archive '$walker' is not there"
command -v gcc >/dev/null || skip_all 'no gcc'
must_build "$src/damage.c" -o "$scratch/damage"
must_build "$src/damaged.c" "$walker" -o "$scratch/damaged" -lpthread -ldl -lrt

for flags in "-Wl,--build-id $holes" '-Wl,--no-eh-frame-hdr'; do
	# The flags are words on purpose.
	# shellcheck disable=SC2086
	library $flags "$src/damaged_library.c"
	judge "nothing is damaged, $flags" whole
done

library -Wl,--build-id "$src/damaged_library.c"
damage note
judge 'the notes are nowhere' whole
library -Wl,--build-id "$src/damaged_library.c"
damage unwind-data
judge 'the unwind data is nowhere'
library -Wl,--build-id=none "$src/damaged_library.c"
damage unwind-data
judge 'the unwind data is nowhere, no build-id'
library $holes "$src/damaged_library.c"
damage table
# In place all of the mapping is taken for readable.
judge 'the search table leads into a hole' any "$todo the hole is read"
library -Wl,--no-eh-frame-hdr "$src/damaged_library.c"
damage section
judge 'the section headers are wrong'

library $holes -DKERNEL=kernel_pointer "$src/damaged_kernels.S" "$src/damaged_caller.c"
judge 'code without rules begins after a hole'
library -DKERNEL=kernel_ending "$src/damaged_kernels.S" "$src/damaged_caller.c"
judge 'code without rules ends by a call'
plan
