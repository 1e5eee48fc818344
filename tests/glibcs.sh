# SPDX-License-Identifier: Apache-2.0
# Other C libraries beside the system's, with their OpenMP runtimes, for programs that are started by
# their loaders. Nothing is installed.
#
#   sh tests/glibcs.sh fetch FOLDER     unpacks them into FOLDER (network, apt-get)
#   . "$srcdir/tests/glibcs.sh"         the functions below, for tests (no network)
#
# FOLDER/old is Debian 11 with headers (glibc 2.31, libgomp 10, libomp 11). FOLDER/new is Debian
# unstable, the newest that there is.

. "${srcdir:-${0%/*}/..}/tests/debs.sh"

glibcs_folder() {
	echo "${OMPPROF_TEST_GLIBCS:-${builddir:-.}/glibcs}"
}

glibcs_fetch() {
	mkdir -p "$1" && gl_all=$(cd "$1" && pwd) || return 1
	[ ! -d "$gl_all/old" ] || [ ! -d "$gl_all/new" ] || return 0
	gl_host=$(dpkg --print-architecture)
	debs_apt "$gl_all/.apt/old" "$gl_host" /dev/null bullseye && debs_apt "$gl_all/.apt/new" "$gl_host" /dev/null sid &&
		debs_unpack "$gl_all/.apt/old" "$gl_all/old" libc6 libc6-dev linux-libc-dev libcrypt1 libgcc-s1 \
			libgcc-10-dev libgomp1 libomp5-11 libomp-11-dev &&
		debs_unpack "$gl_all/.apt/new" "$gl_all/new" libc6 libgcc-s1 libgomp1 libomp5
	gl_status=$?
	rm -rf "$gl_all/.apt"
	return $gl_status
}

# glibc_use NAME: sets glibc_lib (folders of its libraries), glibc_loader and glibc_version. Returns
# 1 if it is not there.
glibc_use() {
	gl_tree=$(cd "$(glibcs_folder)/$1" 2>/dev/null && pwd) || return 1
	glibc_lib=$gl_tree/lib/x86_64-linux-gnu:$gl_tree/usr/lib/x86_64-linux-gnu
	glibc_loader=$(find "$gl_tree" -name 'ld-linux-x86-64.so.2' -path '*x86_64-linux-gnu*' | head -n 1)
	glibc_version=$("$glibc_loader" --library-path "$glibc_lib" "${glibc_loader%/*}/libc.so.6" |
		sed -n '1s/.*version \([0-9.]*[0-9]\).*/\1/p')
	[ -n "$glibc_version" ]
}

# glibc_build PROGRAM RUNTIME OUTPUT: builds tests/programs/*/PROGRAM against the old headers and
# libraries, for the loader of the C library in use. RUNTIME is libomp (by clang) or libgomp (by gcc,
# linked by clang, as gcc looks for the system's files first).
# The lists of flags are split into words on purpose.
# shellcheck disable=SC2086
glibc_build() {
	gl_old=$(cd "$(glibcs_folder)/old" && pwd)
	gl_source=$(echo "$srcdir"/tests/programs/*/"$1")
	gl_flags=$(sed -n 's/^ \* Flags: //p' "$gl_source")
	gl_compile="clang-14 --sysroot=$gl_old -g -O2 -fopenmp=libomp -I$gl_old/usr/lib/llvm-11/include/openmp"
	[ "$2" = libomp ] || gl_compile="${CC:-gcc} --sysroot=$gl_old -g -O2 -fopenmp"
	$gl_compile $gl_flags -c -o "$3.o" "$gl_source" &&
		clang-14 --sysroot="$gl_old" $gl_flags -o "$3" "$3.o" -L"$gl_old/usr/lib/x86_64-linux-gnu" \
			"-l:$2.so.$([ "$2" = libomp ] && echo 5 || echo 1)" -lm -ldl -lpthread \
			-Wl,--dynamic-linker="$glibc_loader" -Wl,--disable-new-dtags -Wl,-rpath="$glibc_lib"
}

if [ "${0##*/}" = glibcs.sh ] && [ "${1-}" = fetch ]; then
	glibcs_fetch "${2:?the folder of the C libraries}"
fi
