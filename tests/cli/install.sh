#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make install` installs: it works after the tree was moved, pkg-config and CMake find the
# header in it, and `make uninstall` leaves nothing.
. "$srcdir/tests/tap.sh"
tap_scratch
unset OMPPROF_DIR
make -s -C "$builddir" install DESTDIR="$scratch/staged" >"$scratch/log" 2>&1 || {
	cat "$scratch/log"
	broken "make install fails"
}
prefix=$(sed -n 's/^prefix = //p' "$builddir/Makefile")

files() { # of a folder, or its links
	find "$1" ! -type d
}
is "libtool's files are not installed" "$(files "$scratch/staged" | grep '\.la$')" ""

mv "$scratch/staged$prefix" "$scratch/moved"
PATH=$scratch/moved/bin:$PATH
export PATH
is "the command is the moved one" "$(command -v ompprof)" "$scratch/moved/bin/ompprof"
check "... and it preloads the moved library" sh -c '
	ompprof run -o "$1/p.ompprof" cat /proc/self/maps 2>&1 | grep "$1/moved/lib/libompprof.so"' - "$scratch"

# The files that the RPM's description names, relative to the prefix; the packager adds documents.
rpm_files() {
	sed -n '/^%files/,/^%changelog/p' "$srcdir/packages/ompprof.spec" | sed -n '
		s,%{_bindir},bin,; s,%{_libdir},lib,; s,%{_includedir},include,
		s,%{_datadir},share,; s,%{_mandir},share/man,; s,%{_libexecdir},libexec,
		/^[a-z]/p'
}
# Merging under mpirun is left out of packages.
rpm_has_all() (
	cd "$scratch/moved" || return
	for pattern in $(rpm_files); do
		find $pattern ! -type d || echo "$pattern is not installed"
	done | sort >"$scratch/named"
	find . ! -type d ! -name 'ompprof-merge-mpi' | sed 's,^\./,,' | sort | diff "$scratch/named" -
)
check "packages/ompprof.spec names each file" rpm_has_all
versions() {
	grep -lF "$1" "$srcdir/packages/debian/changelog" "$srcdir/packages/ompprof.spec" \
		"$srcdir/packages/Containerfile" "$srcdir"/packages/*/ompprof-*.eb \
		"$srcdir/packages/spack/package.py" "$srcdir/packages/conda/meta.yaml" | wc -l
}
version=$(sed -n 's/^VERSION = //p' "$builddir/Makefile")
is "each package has the version" "$(versions "$version")" 6

# A program that is built with the header of the moved tree.
cat >"$scratch/program.c" <<'END'
#include <ompprof.h>
int main(void)
{
	return ompprof_phase_begin("name") != OMPPROF_NO_TOOL;
}
END
# Words on purpose.
# shellcheck disable=SC2086
by_pkg_config() {
	flags=$(PKG_CONFIG_PATH=$scratch/moved/share/pkgconfig pkg-config --cflags ompprof) &&
		"${CC:-cc}" $flags -o "$scratch/program" "$scratch/program.c" && "$scratch/program"
}
by_cmake() {
	mkdir -p "$scratch/cmake" && cp "$scratch/program.c" "$scratch/cmake/" &&
		cat >"$scratch/cmake/CMakeLists.txt" <<-'END' &&
			cmake_minimum_required(VERSION 3.12)
			project(program C)
			find_package(ompprof 0.1 REQUIRED)
			add_executable(program program.c)
			target_link_libraries(program ompprof::ompprof)
			foreach(file ${ompprof_FORTRAN_SOURCES})
				if(NOT EXISTS ${file})
					message(FATAL_ERROR "${file} is not there")
				endif()
			endforeach()
		END
		cmake -S "$scratch/cmake" -B "$scratch/cmake/b" -DCMAKE_PREFIX_PATH="$scratch/moved" &&
		cmake --build "$scratch/cmake/b" && "$scratch/cmake/b/program"
}
try() { # TOOL FUNCTION
	if command -v "$1" >/dev/null; then
		check "$1 finds the header in the moved tree" "$2"
	else
		skip "$1 finds the header in the moved tree" "$1 is not installed"
	fi
}
try pkg-config by_pkg_config
try cmake by_cmake

mkdir -p "$scratch/staged$prefix"
rmdir "$scratch/staged$prefix"
mv "$scratch/moved" "$scratch/staged$prefix"
make -s -C "$builddir" uninstall DESTDIR="$scratch/staged" >"$scratch/log" 2>&1
is "make uninstall leaves no file" "$(files "$scratch/staged")" ""
plan
