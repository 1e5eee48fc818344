# SPDX-License-Identifier: Apache-2.0
# AArch64 on another machine: compilers, libraries, two emulators and a kernel. Nothing is installed.
#
#   sh tests/aarch64/environment.sh FOLDER [16k]    unpacks what is not there yet (network, apt-get)
#
# FOLDER/sysroot has Debian's packages for AArch64, of the system's release. FOLDER/runtimes has runtimes as
# tests/runtimes.sh wants them. FOLDER/host has programs that run here, and libraries that they need. FOLDER/kernel has
# the kernel, FOLDER/kernel-16k another with pages of 16 KiB. FOLDER/bin has the compilers under their own names, and `emulate`, which runs a program for AArch64.
# FOLDER/native has compilers under the names that tests/matrix.txt has, and the tools that gates use.
set -u
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/debs.sh"

env_suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

# What the build needs; what tests need in the emulated system; runtimes that exclude each other when they are installed.
env_build="libc6-dev libgcc-12-dev libstdc++-12-dev libgomp1 libdw-dev libelf-dev libiberty-dev
	libunwind-dev libcmocka-dev zlib1g-dev liblzma-dev libsqlite3-dev"
env_guest="bash bsdutils busybox-static coreutils dash diffutils findutils grep jq libc-bin mawk ncurses-base procps sed tmux
	util-linux usr-is-merged"
# The compiler is there even where the system has it, so that all machines use the same. It uses the sysroot's C library.
env_compiler="gcc-12-aarch64-linux-gnu gcc-12-aarch64-linux-gnu-base g++-12-aarch64-linux-gnu cpp-12-aarch64-linux-gnu
	binutils-aarch64-linux-gnu libgcc-12-dev-arm64-cross libstdc++-12-dev-arm64-cross"
env_emulators="qemu-system-arm qemu-user-static clang-14 clang-19 cpio"

# env_script FILE COMMAND...: a script in $env_folder that runs the command with its own arguments.
env_script() {
	es_file=$env_folder/$1
	shift
	mkdir -p "${es_file%/*}" && printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$es_file" && chmod +x "$es_file"
}

# env_clang NAME-N: the system's, or what was unpacked. It finds gcc's folder in the sysroot by itself. A name found by
# PATH can be that of a cache, which would find this script in turn.
env_clang() {
	ec_path=/usr/lib/llvm-${1##*-}/bin/${1%-*}
	[ -x "$ec_path" ] || ec_path=$env_folder/host$ec_path
	env_script "native/$1" "$env_host" "$ec_path" --target=aarch64-linux-gnu "--sysroot=$env_folder/sysroot" "-B$env_folder/cross"
}

# The scripts have the folder's name in them. So they are written each time: the folder may have been moved.
env_scripts() {
	es_libraries=lib/$(uname -m)-linux-gnu
	env_host="env LD_LIBRARY_PATH=$env_folder/host/usr/$es_libraries:$env_folder/host/$es_libraries"
	es_prefix=$env_folder/host/usr/bin/aarch64-linux-gnu-
	# The compiler's own folder has the static libgomp alone.
	es_flags="--sysroot=$env_folder/sysroot -B$es_prefix -L$env_folder/sysroot/usr/lib/gcc/aarch64-linux-gnu/12"
	for es_tool in ar as ld nm objcopy objdump ranlib readelf strip; do
		env_script "bin/aarch64-linux-gnu-$es_tool" "$env_host" "$es_prefix$es_tool"
	done
	for es_tool in nm objdump readelf; do
		env_script "native/$es_tool" "$env_host" "$es_prefix$es_tool"
	done
	# In a folder that it is given, clang looks for the linker under this name alone.
	env_script cross/ld "$env_host" "${es_prefix}ld"
	for es_tool in gcc g++; do
		env_script "bin/aarch64-linux-gnu-$es_tool" "$env_host" "$es_prefix$es_tool-12" "$es_flags"
		env_script "native/$es_tool" "$env_host" "$es_prefix$es_tool-12" "$es_flags"
	done
	for es_tool in clang-14 clang++-14 clang-19 clang++-19; do
		env_clang "$es_tool"
	done
	es_cpio=$env_folder/host/bin/cpio
	[ -x "$es_cpio" ] || es_cpio=cpio
	env_script bin/cpio "$env_host" "$es_cpio"
	env_script bin/emulate "$env_folder/host/usr/bin/qemu-aarch64-static" -cpu max,pauth-impdef=on -L "$env_folder/sysroot"
	env_script bin/boot "$env_host" "$env_folder/host/usr/bin/qemu-system-aarch64" -L "$env_folder/host/usr/share/qemu" \
		-M virt -cpu max,pauth-impdef=on -smp 2 -m 2G -nographic -no-reboot -net none
}

# env_runtimes: all versions of libomp with their headers.
env_runtimes() {
	mkdir -p "$env_folder/runtimes" &&
		(export APT_CONFIG="$env_folder/.apt/arm64/apt.conf" srcdir && . "$srcdir/tests/runtimes.sh" &&
			runtimes_fetch "$env_folder/runtimes")
}

# env_kernel FOLDER PACKAGE SUITE: FOLDER/boot gets the kernel on which the package of this suite depends.
# shellcheck disable=SC2046
env_kernel() {
	[ ! -e "$1" ] || return 0
	ek_apt=$env_folder/.apt/$3
	debs_apt "$ek_apt" arm64 /dev/null "$3" &&
		debs_unpack "$ek_apt" "$1" $(debs_closure "$ek_apt" "$2" | grep -E '^linux-image-[0-9]') || return 1
	rm -rf "$1/lib" "$1/usr" "$ek_apt"
}

# The lists are split into words on purpose.
# shellcheck disable=SC2046,SC2086
env_fetch() {
	env_folder=$1 ef_wanted="$env_suite $env_build $env_guest $env_compiler $env_emulators"
	if [ "$(cat "$env_folder/complete" 2>/dev/null)" != "$ef_wanted" ]; then
		rm -rf "$env_folder/sysroot" "$env_folder/host"
		ef_apt=$env_folder/.apt
		debs_apt "$ef_apt/arm64" arm64 /dev/null "$env_suite" &&
			debs_apt "$ef_apt/host" "$(dpkg --print-architecture)" /var/lib/dpkg/status "$env_suite" &&
			debs_unpack "$ef_apt/arm64" "$env_folder/sysroot" $(debs_closure "$ef_apt/arm64" $env_build $env_guest) &&
			env_runtimes &&
			debs_unpack "$ef_apt/host" "$env_folder/host" \
				$({ printf '%s\n' $env_compiler; debs_closure "$ef_apt/host" $env_compiler $env_emulators |
					grep -v -e '-cross$'; } | sort -u) &&
			env_kernel "$env_folder/kernel" linux-image-arm64 "$env_suite" || return 1
		rm -rf "$ef_apt"
		find "$env_folder/host/usr/bin" -name 'qemu-*-static' ! -name qemu-aarch64-static -delete
		printf '%s\n' "$ef_wanted" >"$env_folder/complete"
	fi
	# Debian 12 has no kernel with pages of 16 KiB.
	[ "${2-}" != 16k ] || env_kernel "$env_folder/kernel-16k" linux-image-arm64-16k trixie || return 1
	env_scripts
}

if [ "${0##*/}" = environment.sh ]; then
	mkdir -p "${1:?the folder}" && env_fetch "$(cd "$1" && pwd)" "${2-}"
fi
