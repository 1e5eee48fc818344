# SPDX-License-Identifier: Apache-2.0
# Debian packages that are unpacked into folders and never installed: other C libraries, other architectures.
# `. "$srcdir/tests/debs.sh"`; all of it needs the network, apt-get and dpkg.

# debs_apt FOLDER ARCHITECTURE STATUS SUITE...: sets up a state of its own for apt in FOLDER, with the suites' packages
# from the system's mirror. STATUS is dpkg's file of what is there; /dev/null if nothing is.
debs_apt() {
	db_mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
		grep -oE '[a-z]+://[^ ]*/debian/?( |$)' | head -n 1 | tr -d ' ')
	[ -n "$db_mirror" ] || return 1
	db_apt=$1 db_architecture=$2 db_status=$3
	shift 3
	mkdir -p "$db_apt/state/lists/partial" "$db_apt/cache/archives/partial" "$db_apt/none" || return 1
	for db_suite; do
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $db_mirror $db_suite main"
	done >"$db_apt/sources.list"
	cp "$db_status" "$db_apt/status" || return 1
	cat >"$db_apt/apt.conf" <<END
Dir::State "$db_apt/state"; Dir::State::status "$db_apt/status"; Dir::Cache "$db_apt/cache";
Dir::Etc::sourcelist "$db_apt/sources.list"; Dir::Etc::sourceparts "$db_apt/none";
Dir::Etc::preferencesparts "$db_apt/none"; APT::Architecture "$db_architecture"; APT::Architectures { "$db_architecture"; };
APT::Sandbox::User "root"; Acquire::Languages "none"; Acquire::Check-Valid-Until "false";
END
	APT_CONFIG=$db_apt/apt.conf apt-get -qq update >&2
}

# debs_closure FOLDER PACKAGE...: prints these packages and all that they depend on but for what STATUS has.
debs_closure() {
	db_apt=$1
	shift
	APT_CONFIG=$db_apt/apt.conf apt-get -qq -s --no-install-recommends install "$@" | sed -n 's/^Inst \([^ ]*\) .*/\1/p'
}

# debs_unpack FOLDER TREE PACKAGE...: unpacks these packages, and none that they depend on, into the folder TREE,
# unless that is there. An absolute link would lead to the system's files.
debs_unpack() {
	[ ! -d "$2" ] || return 0
	db_apt=$1 db_tree=$2 db_new=$1/tree.$$
	shift 2
	mkdir -p "$db_new/debs" && (cd "$db_new/debs" &&
		APT_CONFIG=$db_apt/apt.conf apt-get -qq download "$@" >&2 &&
		for package in *.deb; do dpkg -x "$package" .. || exit 1; done) || return 1
	rm -rf "$db_new/debs"
	find "$db_new" -type l -lname '/*' | while read -r db_link; do
		ln -sfn "$db_tree$(readlink "$db_link")" "$db_link"
	done
	mv -T "$db_new" "$db_tree"
}
