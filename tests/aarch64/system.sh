# SPDX-License-Identifier: Apache-2.0
# Runs tests in an emulated machine with a kernel of its own: `. "$srcdir/tests/aarch64/system.sh"`. The machine has no
# disk. All that it needs is in the image from which the kernel starts: the sysroot's programs and libraries, the tests'
# sources and the build folder's programs, each where it is here.

# system_root ROOT ENVIRONMENT: fills the folder ROOT.
system_root() {
	rm -rf "$1"
	for sr_folder in bin sbin lib; do
		mkdir -p "$1/usr/$sr_folder" && ln -s "usr/$sr_folder" "$1/$sr_folder" || return 1
	done
	mkdir -p "$1/dev" "$1/proc" "$1/sys" "$1/etc" "$1/root" "$1$builddir" "$1$srcdir"
	for sr_folder in bin usr/bin; do
		cp -a "$2/sysroot/$sr_folder/." "$1/usr/bin/"
	done
	for sr_folder in lib usr/lib; do
		mkdir -p "$1/usr/lib/aarch64-linux-gnu"
		find "$2/sysroot/$sr_folder/aarch64-linux-gnu" -maxdepth 1 -name '*.so*' \
			-exec cp -L {} "$1/usr/lib/aarch64-linux-gnu/" \; 2>/dev/null
	done
	# For tmux.
	mkdir -p "$1/usr/lib/locale" && cp -a "$2/sysroot/usr/lib/locale/C.utf8" "$1/usr/lib/locale/" &&
		cp -a "$2/sysroot/lib/terminfo" "$1/usr/lib/" || return 1
	ln -s aarch64-linux-gnu/ld-linux-aarch64.so.1 "$1/usr/lib/ld-linux-aarch64.so.1"
	ln -sf dash "$1/usr/bin/sh"
	ln -sf mawk "$1/usr/bin/awk"
	# Tests look for compilers. All programs are built.
	for sr_name in gcc g++ clang-14 clang++-14 clang-19 clang++-19; do
		printf '#!/bin/sh\nexit 1\n' >"$1/usr/bin/$sr_name" && chmod +x "$1/usr/bin/$sr_name"
	done
	cp -a "$srcdir/tests" "$1$srcdir/"
	cp -a "$2/runtimes" "$1$builddir/runtimes"
	(cd "$builddir" && find . -type f \( -perm -100 -o -name '*.so' -o -name '*.map' \) ! -name '*.o' ! -name 'lt-*' ! -path './guest/*' |
		"$2/bin/cpio" -pdm --quiet "$1$builddir")
	install -m 755 "$srcdir/tests/aarch64/init" "$1/init"
	printf 'root:x:0:0::/root:/bin/sh\n' >"$1/etc/passwd"
}

# system_boot ENVIRONMENT ROOT SECONDS KERNEL: the machine's console on stdout. It ends by itself, or after so long.
# KERNEL is a folder of ENVIRONMENT.
system_boot() {
	(cd "$2" && find . | "$1/bin/cpio" -o -H newc --quiet) >"$2.cpio" &&
		timeout -k 5 "$3" "$1/bin/boot" -kernel "$1/$4/boot"/vmlinuz-* -initrd "$2.cpio" </dev/null \
			-append "console=ttyAMA0 quiet panic=-1 rdinit=/init srcdir=$srcdir builddir=$builddir now=$(date +%s)"
}
