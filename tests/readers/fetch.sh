#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the packages that read exports back in the tests, of the versions and the content that
# package-lock.json names: sh tests/readers/fetch.sh FOLDER (build/readers). The only step that needs
# the network; done by ./quickstart check. Tests skip without them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=${1?folder}

say() {
	echo "readers: $*" >&2
}

# Nothing to do when what is there is what the lock file names.
if [ -d "$folder/node_modules" ] && cmp -s "$here/package-lock.json" "$folder/package-lock.json"; then
	exit 0
fi
command -v npm >/dev/null || {
	say "npm is not installed"
	exit 1
}
mkdir -p "$folder" || exit 1
cp "$here/package.json" "$folder/" || exit 1
cp "$here/package-lock.json" "$folder/package-lock.json" || exit 1
# Packages' own scripts are not run: none is needed.
(cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >"$folder/npm.log" 2>&1 || {
	say "npm ci failed:"
	tail -n 5 "$folder/npm.log" >&2
	rm -rf "$folder/package-lock.json"
	exit 1
}
