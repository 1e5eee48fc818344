#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian package and the RPM from a release's tarball, installs one after the other in a
# fresh Debian below a folder, profiles programs there, and removes the package. Needs root,
# debootstrap, debhelper, lintian, rpm.
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

build_deb() {
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

# The packages that it asks for have the names of another distribution.
build_rpm() {
	rm -rf "$work/rpm"
	mkdir -p "$work/rpm/SOURCES"
	cp "$tarball" "$work/rpm/SOURCES/"
	rpmbuild --nodeps -bb --define "_topdir $work/rpm" "$here/ompprof.spec" >"$work/rpmbuild.log" 2>&1 || {
		tail -n 40 "$work/rpmbuild.log"
		exit 1
	}
	rpm=$(find "$work/rpm/RPMS" -name "ompprof-$version-*.rpm")
	say "built $rpm"
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

make_system() {
	rm -rf "$work/system"
	debootstrap --variant=minbase bookworm "$work/system" >"$work/debootstrap.log" 2>&1
	trap leave EXIT
	mount -t proc proc "$work/system/proc"
	if [ -d /etc/apt/apt.conf.d ]; then
		cp /etc/apt/apt.conf.d/* "$work/system/etc/apt/apt.conf.d/"
	fi
	# What the demo needs first, so that the list says what ompprof itself leaves.
	system apt-get -qq -y --no-install-recommends install gcc clang libomp-dev libc6-dev >"$work/apt.log" 2>&1
	cp "$here/debian/tests/demo" "$work/system/tmp/demo"
	tar xf "$tarball" -C "$work/system/tmp"
}

demo() {
	say "installed"
	system sh -c 'cd "$0" && sh /tmp/demo' "/tmp/ompprof-$version"
	say "profiled what clang and gcc build"
}

# without_trace: what is there now is what was there before.
without_trace() {
	list >"$work/after"
	diff "$work/before" "$work/after"
	say "removed without a trace"
}

check_deb() {
	list >"$work/before"
	cp "$work"/deb/ompprof_*.deb "$work/system/tmp/ompprof.deb"
	system apt-get -qq -y --no-install-recommends install /tmp/ompprof.deb >>"$work/apt.log" 2>&1
	demo
	system apt-get -qq -y --autoremove purge ompprof >>"$work/apt.log" 2>&1
	without_trace
}

# Debian's rpm knows no package of Debian. So the libraries are installed before, by their names in Debian.
check_rpm() {
	system apt-get -qq -y --no-install-recommends install libdw1 libelf1 liblzma5 libsqlite3-0 libunwind8 zlib1g \
		>>"$work/apt.log" 2>&1
	list >"$work/before"
	rpm --root "$work/system" --force-debian -i --nodeps "$rpm"
	demo
	rpm --root "$work/system" --force-debian -e ompprof
	without_trace
}

build_deb
build_rpm
make_system
check_deb
check_rpm
