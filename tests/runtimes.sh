# SPDX-License-Identifier: Apache-2.0
# OpenMP runtimes side by side, and the test programs built for each row of matrix.txt.
#
#   sh tests/runtimes.sh fetch FOLDER    brings Debian's libomp packages into FOLDER (network)
#   . "$srcdir/tests/runtimes.sh"        the functions below, for tests (no network)
#
# A runtime is a folder N/ with include/ (omp.h, omp-tools.h) and lib/ (libomp.so and, for programs
# built by gcc, libgomp.so.1, which is the same library). Debian's libomp-N-dev packages exclude
# each other, so they are unpacked beside each other and never installed.

runtime_versions="14 15 16 19"

# The rows; a test, or who runs it, may set others.
matrix_file=${OMPPROF_TEST_MATRIX:-$srcdir/tests/matrix.txt}

# The folder that holds the runtimes; tests in another build folder may name it.
runtimes_folder() {
	echo "${OMPPROF_TEST_RUNTIMES:-${builddir:-.}/runtimes}"
}

# runtime_install TREE N FOLDER: TREE is a package tree or the system's root.
runtime_install() {
	rt_lib=$1/usr/lib/llvm-$2/lib
	rt_header=$(find "$rt_lib/clang" -name omp-tools.h 2>/dev/null | head -n 1)
	[ -n "$rt_header" ] && [ -r "$rt_lib/libomp.so.5" ] || return 1
	rt_new=$3/.new-$2-$$
	mkdir -p "$rt_new/include" "$rt_new/lib" || return 1
	cp "${rt_header%/*}/omp.h" "$rt_header" "$rt_new/include/" &&
		cp -L "$rt_lib/libomp.so.5" "$rt_new/lib/" &&
		ln -s libomp.so.5 "$rt_new/lib/libomp.so" &&
		ln -s libomp.so.5 "$rt_new/lib/libgomp.so.1" || return 1
	# Tests run side by side: whoever is second finds the folder made.
	mv -T "$rt_new" "$3/$2" 2>/dev/null || rm -rf "$rt_new"
	[ -r "$3/$2/lib/libomp.so.5" ]
}

# runtimes_fetch FOLDER: all versions that are not there yet. Returns 1 when one is missing after.
runtimes_fetch() {
	mkdir -p "$1" || return 1
	rt_status=0
	for rt_version in $runtime_versions; do
		[ ! -r "$1/$rt_version/lib/libomp.so.5" ] || continue
		rt_packages=$(mktemp -d "$1/.packages.XXXXXX") || return 1
		chmod 755 "$rt_packages"
		if (cd "$rt_packages" &&
			apt-get -qq -o APT::Sandbox::User=root download \
				"libomp5-$rt_version" "libomp-$rt_version-dev" &&
			for package in *.deb; do dpkg -x "$package" tree || exit 1; done) >&2 &&
			runtime_install "$rt_packages/tree" "$rt_version" "$1"; then
			echo "libomp $rt_version: unpacked"
		else
			echo "libomp $rt_version: not available"
			rt_status=1
		fi
		rm -rf "$rt_packages"
	done
	return $rt_status
}

# offload_fetch FOLDER: LLVM's runtime for target regions, whose device can be the host itself, and the programs by
# which clang makes code for devices: offload/ with include/, lib/ and bin/. Returns 1 when it is not there after.
offload_fetch() {
	[ ! -e "$1/offload" ] || return 0
	rt_packages=$(mktemp -d "$1/.packages.XXXXXX") || return 1
	chmod 755 "$rt_packages"
	rt_tree=$rt_packages/tree/usr/lib/llvm-19
	rt_new=$rt_packages/offload
	if (cd "$rt_packages" &&
		apt-get -qq -o APT::Sandbox::User=root download \
			libomp5-19 libomp-19-dev clang-tools-19 &&
		for package in *.deb; do dpkg -x "$package" tree || exit 1; done) >&2 &&
		mkdir -p "$rt_new/include" "$rt_new/lib" "$rt_new/bin" &&
		cp "$rt_tree"/lib/clang/19/include/omp*.h "$rt_new/include/" &&
		cp -P "$rt_tree"/lib/libomp.so* "$rt_tree"/lib/libomptarget.so* "$rt_tree/lib/libomptarget.devicertl.a" "$rt_new/lib/" &&
		cp "$rt_tree/bin/clang-linker-wrapper" "$rt_tree/bin/clang-offload-packager" "$rt_new/bin/"; then
		mv -T "$rt_new" "$1/offload" 2>/dev/null
		echo "libomptarget 19: unpacked"
	else
		echo "libomptarget 19: not available"
	fi
	rm -rf "$rt_packages"
	[ -e "$1/offload" ]
}

# matrix_rows: the names of all rows.
matrix_rows() {
	sed 's/#.*//' "$matrix_file" | awk 'NF { print $1 }'
}

# matrix_row NAME: sets row_runtime (a version of libomp, or `gcc` for GCC's own libgomp), row_cc, row_cxx, row_flags,
# row_include, row_lib (a folder, or nothing) and row_link. When the row cannot be built here, returns 1 and sets row_reason.
matrix_row() {
	row_line=$(awk -v name="$1" '$1 == name' "$matrix_file")
	[ -n "$row_line" ] || { row_reason="no row '$1' in ${matrix_file##*/}"; return 1; }
	row_runtime=$(echo "$row_line" | cut -f 2)
	row_cc=$(echo "$row_line" | cut -f 3)
	row_optimisation=$(echo "$row_line" | cut -f 4)
	row_flags="$row_optimisation -g -fopenmp"
	case $row_cc in
	clang-*) row_cxx=clang++-${row_cc#clang-} ;;
	*) row_cxx=g++ ;;
	esac
	command -v "$row_cc" >/dev/null || { row_reason="$row_cc is not installed"; return 1; }
	if [ "$row_runtime" = gcc ]; then
		row_include='' row_lib='' row_link=''
		return 0
	fi
	row_folder=$(runtimes_folder)/$row_runtime
	if [ ! -r "$row_folder/lib/libomp.so.5" ]; then
		mkdir -p "${row_folder%/*}"
		runtime_install "" "$row_runtime" "${row_folder%/*}" ||
			{ row_reason="libomp $row_runtime is not there: run ./quickstart check"; return 1; }
	fi
	row_include=-I$row_folder/include
	row_lib=$row_folder/lib
	row_link="-L$row_lib -Wl,-rpath,$row_lib"
	return 0
}

# Within some limits libomp leaves the shared memory in which it registers itself without a byte, and a later process
# that happens to get the same number dies of SIGBUS: such files go.
shm_tidy() {
	for st_file in /dev/shm/__KMP_REGISTERED_LIB_*_"$(id -u)"; do
		[ -e "$st_file" ] && [ ! -s "$st_file" ] || continue
		st_pid=${st_file#*LIB_}
		[ -d "/proc/${st_pid%%_*}" ] || rm -f "$st_file"
	done
}

# matrix_compile SOURCE EXECUTABLE: compiles for the row that is set, unless that is done already.
# The lists of flags are split into words on purpose.
# shellcheck disable=SC2086,SC3013
matrix_compile() {
	if [ -x "$2" ] && [ "$2" -nt "$1" ] &&
		[ -z "$(find "$srcdir/tests" -name '*.h' -newer "$2")" ]; then
		return 0
	fi
	mkdir -p "${2%/*}" || return 1
	case $1 in
	*.cpp) mc_compiler=$row_cxx ;;
	*) mc_compiler=$row_cc ;;
	esac
	mc_flags=$(sed -n 's/^ \* Flags: //p' "$1")
	if "$mc_compiler" $row_flags $row_include -o "$2.$$" "$1" $row_link $mc_flags >&2; then
		mv "$2.$$" "$2"
	else
		rm -f "$2.$$"
		return 1
	fi
}

# program_source PROGRAM: prints the path of the file PROGRAM (x.c or x.cpp), which is in a folder of tests/programs.
program_source() {
	echo "$srcdir"/tests/programs/*/"$1"
}

# matrix_build PROGRAM ROW: prints the path of tests/programs/*/PROGRAM (x.c or x.cpp) built for ROW.
# Lines of the program's head comment say what it adds: ` * Flags: ...` to the command line,
# ` * Needs: y.c` another program beside it. Returns 1, with a word on stderr, on failure.
matrix_build() {
	matrix_row "$2" || { echo "$row_reason" >&2; return 1; }
	for mb_program in $(sed -n 's/^ \* Needs: //p' "$(program_source "$1")") "$1"; do
		mb_path=$builddir/tests/programs/$2/${mb_program%.*}
		matrix_compile "$(program_source "$mb_program")" "$mb_path" || return 1
	done
	echo "$mb_path"
}

# matrix_run PROGRAM ROW ARGUMENTS...: builds and runs it, with the row's runtime for gcc's too.
matrix_run() {
	mr_path=$(matrix_build "$1" "$2") || return 1
	matrix_row "$2" || return 1
	shift 2
	LD_LIBRARY_PATH=$row_lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$mr_path" "$@"
}

if [ "${0##*/}" = runtimes.sh ] && [ "${1-}" = fetch ]; then
	runtimes_fetch "${2:?the folder of the runtimes}"
	rt_fetched=$?
	offload_fetch "$2" && exit $rt_fetched
fi
