#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the packages that read exports back in the tests, of the versions and the content that
# package-lock.json names: sh tests/readers/fetch.sh FOLDER (build/readers). The only step that needs
# the network; done by ./quickstart check. Tests skip without them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=${1?folder}
# Seconds: of one request, and of all.
request_limit=60
limit=${READERS_LIMIT:-900}

say() {
	echo "readers: $*" >&2
}

# The lock file of what is there as a whole: written last, and gone before anything is begun.
stamp=$folder/installed.json

# Nothing to do when what is there is what the lock file names.
if [ -d "$folder/node_modules" ] && cmp -s "$here/package-lock.json" "$stamp"; then
	exit 0
fi
command -v npm >/dev/null || {
	say "npm is not installed"
	exit 1
}
mkdir -p "$folder" || exit 1
rm -f "$stamp" || exit 1
cp "$here/package.json" "$here/package-lock.json" "$folder/" || exit 1
# Packages' own scripts are not run: none is needed.
(cd "$folder" && exec timeout -k 10 "$limit" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
	--fetch-timeout=$((request_limit * 1000))) >"$folder/npm.log" 2>&1
status=$?
if [ $status -ne 0 ]; then
	[ $status -ne 124 ] || echo "not done after $limit s" >>"$folder/npm.log"
	say "npm ci failed:"
	tail -n 5 "$folder/npm.log" >&2
	exit 1
fi
cp "$here/package-lock.json" "$stamp.new" && mv "$stamp.new" "$stamp"
