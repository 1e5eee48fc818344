# SPDX-License-Identifier: Apache-2.0
# Other C libraries beside the system's, with their OpenMP runtimes, for programs that are started by
# their loaders. Nothing is installed.
#
#   sh tests/glibcs.sh fetch FOLDER     unpacks them into FOLDER (network, apt-get)
#   . "$srcdir/tests/glibcs.sh"         the functions below, for tests (no network)
#
# FOLDER/old is Debian 11 with headers (glibc 2.31, libgomp 10, libomp 11). FOLDER/new is Debian
# unstable, the newest that there is.

glibcs_folder() {
	echo "${OMPPROF_TEST_GLIBCS:-${builddir:-.}/glibcs}"
}

# glibcs_apt FOLDER: sets up a state of its own for apt, with the releases of the system's mirror.
glibcs_apt() {
	gl_mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
		grep -oE '[a-z]+://[^ ]*/debian/?( |$)' | head -n 1 | tr -d ' ')
	[ -n "$gl_mirror" ] || return 1
	mkdir -p "$1/state/lists/partial" "$1/cache/archives/partial" "$1/none" || return 1
	for gl_suite in bullseye sid; do
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $gl_mirror $gl_suite main"
	done >"$1/sources.list"
	: >"$1/status"
	cat >"$1/apt.conf" <<END
Dir::State "$1/state"; Dir::State::status "$1/status"; Dir::Cache "$1/cache";
Dir::Etc::sourcelist "$1/sources.list"; Dir::Etc::sourceparts "$1/none"; Dir::Etc::preferencesparts "$1/none";
APT::Sandbox::User "root"; Acquire::Languages "none"; Acquire::Check-Valid-Until "false";
END
	APT_CONFIG=$1/apt.conf apt-get -qq update >&2
}

# glibcs_unpack FOLDER NAME SUITE PACKAGES...: an absolute link would lead to the system's files.
glibcs_unpack() {
	[ ! -d "$1/$2" ] || return 0
	gl_tree=$1/.new-$2-$$ gl_name=$1/$2 gl_suite=$3 gl_apt=$1/.apt
	shift 3
	mkdir -p "$gl_tree/debs" && (cd "$gl_tree/debs" &&
		for package; do
			APT_CONFIG=$gl_apt/apt.conf apt-get -qq download "$package/$gl_suite" >&2 || exit 1
		done
		for package in *.deb; do dpkg -x "$package" .. || exit 1; done) || return 1
	rm -rf "$gl_tree/debs"
	find "$gl_tree" -type l -lname '/*' | while read -r gl_link; do
		ln -sfn "$gl_name$(readlink "$gl_link")" "$gl_link"
	done
	mv -T "$gl_tree" "$gl_name"
}

glibcs_fetch() {
	mkdir -p "$1" && gl_all=$(cd "$1" && pwd) || return 1
	[ ! -d "$gl_all/old" ] || [ ! -d "$gl_all/new" ] || return 0
	glibcs_apt "$gl_all/.apt" &&
		glibcs_unpack "$gl_all" old bullseye libc6 libc6-dev linux-libc-dev libcrypt1 libgcc-s1 \
			libgcc-10-dev libgomp1 libomp5-11 libomp-11-dev &&
		glibcs_unpack "$gl_all" new sid libc6 libgcc-s1 libgomp1 libomp5
	gl_status=$?
	rm -rf "$gl_all/.apt" "$gl_all"/.new-*
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
