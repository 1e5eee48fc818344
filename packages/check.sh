#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian package from a release's tarball, installs it in a fresh system below a folder,
# profiles a program there, and removes the package. Needs root, debootstrap, debhelper, lintian.
#   packages/check.sh TARBALL FOLDER
set -eu
tarball=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2"
work=$(realpath "$2")
version=$(basename "$tarball" .tar.gz)
version=${version#ompprof-}

say() {
	printf 'packages: %s\n' "$*"
}

build() {
	rm -rf "$work/deb"
	mkdir -p "$work/deb"
	cd "$work/deb"
	cp "$tarball" "ompprof_$version.orig.tar.gz"
	tar xf "$tarball"
	cp -R "$here/debian" "ompprof-$version/"
	(cd "ompprof-$version" && dpkg-buildpackage -us -uc >"$work/build.log" 2>&1) || {
		tail -n 40 "$work/build.log"
		exit 1
	}
	say "built $(ls ./*.deb)"
	lintian --fail-on error,warning --suppress-tags-from-file "$here/lintian.txt" ./*.changes
	say "lintian finds no error and no warning"
}

system() { # in the fresh system
	chroot "$work/system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		DEBIAN_FRONTEND=noninteractive "$@"
}

leave() {
	umount "$work/system/proc" 2>/dev/null || :
}

# The files of the system, without those that apt and dpkg keep for themselves.
list() {
	(cd "$work/system" && find bin etc lib lib64 sbin usr opt ! -type d ! -path 'etc/ld.so.cache' | sort)
}

install_and_remove() {
	rm -rf "$work/system"
	debootstrap --variant=minbase bookworm "$work/system" >"$work/debootstrap.log" 2>&1
	trap leave EXIT
	mount -t proc proc "$work/system/proc"
	if [ -d /etc/apt/apt.conf.d ]; then
		cp /etc/apt/apt.conf.d/* "$work/system/etc/apt/apt.conf.d/"
	fi
	# What the demo needs first, so that the list says what ompprof itself leaves.
	system apt-get -qq -y --no-install-recommends install gcc clang libomp-dev libc6-dev >"$work/apt.log" 2>&1
	list >"$work/before"
	cp "$work"/deb/ompprof_*.deb "$work/system/tmp/ompprof.deb"
	cp "$here/debian/tests/demo" "$work/system/tmp/demo"
	system apt-get -qq -y --no-install-recommends install /tmp/ompprof.deb >>"$work/apt.log" 2>&1
	say "installed"
	system sh /tmp/demo
	say "profiled what clang and gcc build"
	system apt-get -qq -y --autoremove purge ompprof >>"$work/apt.log" 2>&1
	list >"$work/after"
	diff "$work/before" "$work/after"
	say "removed without a trace"
}

build
install_and_remove
