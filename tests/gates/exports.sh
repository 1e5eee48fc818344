#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The in-process library shows little to the program that loads it: few symbols and no library
# but libc and libc's former parts. It is bound at once, and never unmapped.
. "$srcdir/tests/tap.sh"

library=${OMPPROF_TEST_LIBRARY:-$builddir/.libs/libompprof.so}
# The tool's entry, and wrappers of the C library's functions (sampler/threads/wrap_*.c, lockdown.c, wrap_blocking.def),
# and those of MPI (profile/shared/mpi_calls.def).
allowed=$({
	echo __kmpc_doacross_wait ompt_start_tool prctl pthread_create pthread_sigmask sigblock sighold sigprocmask sigrelse sigset sigsetmask
	echo thrd_create
	sed -n 's/^BLOCKING([^,]*, \([a-z0-9_]*\),.*/\1/p' "$srcdir/sampler/threads/wrap_blocking.def"
	sed -n 's/^MPI_CALL(.*, \(.*\), \(.*\))$/MPI_\1 mpi_\2_ mpi_\2_f08_ mpi_\2_f08ts_/p' "$srcdir/profile/shared/mpi_calls.def"
} | tr ' ' '\n' | LC_ALL=C sort | tr '\n' ' ')

exports() {
	nm -D --defined-only "$1" | awk '$2 != "A" { print $NF }' | tr '\n' ' '
}

needed() {
	readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

has_flag() {
	readelf -d "$1" | grep -E "\((FLAGS|FLAGS_1)\)" | grep -qw "$2"
}

# check_library FILE: names each fault.
check_library() {
	wrong=
	[ "$(exports "$1")" = "$allowed" ] || wrong="exports: $(exports "$1")"
	other=$(needed "$1" | grep -vE '^(lib(c\.so\.6|dl\.so\.2|pthread\.so\.0|rt\.so\.1)|ld-linux-(x86-64|aarch64)\.so\.[12])$')
	[ -z "$other" ] || wrong="$wrong; needs: $other"
	has_flag "$1" NODELETE || wrong="$wrong; may be unmapped (no NODELETE)"
	has_flag "$1" NOW || wrong="$wrong; binds calls late (no BIND_NOW)"
	[ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

tap_scratch
[ -r "$library" ] || broken "the library '$library' is not there"
is "it exports what it has to" "$(exports "$library")" "$allowed"
check "it needs no library but libc, binds at once and stays mapped" check_library "$library"
is "it has no executable stack" "$(readelf -lW "$library" | awk '/GNU_STACK/ { print $7 }')" RW

for name in $allowed; do
	echo "int $name(void) { return 0; }"
done >"$scratch/good.c"
{ cat "$scratch/good.c"; echo 'int other(void) { return 1; }'; } >"$scratch/bad.c"
for flags in "" "-Wl,-z,nodelete -Wl,-z,lazy" "-Wl,-z,now"; do
	# The flags are split into words on purpose.
	# shellcheck disable=SC2086
	${CC:-cc} -shared -fPIC $flags -o "$scratch/bad.so" "$scratch/bad.c" || broken "cannot link"
	check_fails "a library with a further export is found, linked with '$flags'" \
		check_library "$scratch/bad.so"
done
cp "$scratch/good.c" "$scratch/bad.c"
${CC:-cc} -shared -fPIC -Wl,-z,now -o "$scratch/bad.so" "$scratch/bad.c" || broken "cannot link"
check_fails "a library that may be unmapped is found" check_library "$scratch/bad.so"
${CC:-cc} -shared -fPIC -Wl,-z,nodelete -Wl,-z,lazy -o "$scratch/bad.so" "$scratch/bad.c" ||
	broken "cannot link"
check_fails "a library that binds late is found" check_library "$scratch/bad.so"
${CC:-cc} -shared -fPIC -Wl,-z,nodelete -Wl,-z,now -Wl,--no-as-needed -o "$scratch/bad.so" \
	"$scratch/bad.c" -lm || broken "cannot link"
check_fails "a library that needs libm is found" check_library "$scratch/bad.so"
plan
