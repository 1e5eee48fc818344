#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where debug information may be: in the program, in a separate file found by build-id or by
# .gnu_debuglink, or nowhere; and what is said when there is none or the wrong one.
set -u
lookup=$builddir/tests/symbols/lookup
work=$builddir/tests/symbols/debugfiles.tmp
program=$work/program
n=0

for tool in gcc objcopy objdump strip nm readelf; do
	command -v $tool >/dev/null || {
		echo "1..0 # SKIP $tool is missing"
		exit 0
	}
done
rm -rf "$work"
mkdir -p "$work/.debug" "$work/store" || exit 99

# expect NAME WANTED ARGS...: the first two lines of output and the problem, joined by "; ".
expect()
{
	name=$1 wanted=$2
	shift 2
	n=$((n + 1))
	found=$(echo "$address" | "$lookup" "$@" 2>"$work/stderr" | head -n 2 | paste -sd' ')
	said=$(sed -n 's/^\(problem\|note\): //p' "$work/stderr" | paste -sd'|')
	found=$(printf '%s; %s' "$found" "$said" | sed "s|$work/||g")
	if test "$found" = "$wanted"; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		echo "# wanted: $wanted"
		echo "# found:  $found"
	fi
}

compile()
{
	cat >"$work/source.c" <<-'END'
		static int kept(int n)
		{
			return n + 1;
		}
		int (*volatile pointer)(int) = kept;
		int puts(const char *);
		int main(int argc, char **argv)
		{
			puts(*argv);
			return pointer(argc) == 0;
		}
	END
	gcc -O1 -g -fno-inline -rdynamic "$@" "$work/source.c" -o "$program" || exit 99
	address=$(nm "$program" | sed -n 's/^\([0-9a-f]*\) t kept$/\1/p')
	bare=0x$(echo "$address" | sed 's/^0*//')
}

# split FILE: moves the program's debug information there.
split()
{
	objcopy --only-keep-debug "$program" "$1" || exit 99
	strip --strip-all "$program" || exit 99
}

lines="kept source.c:3; "
no_lines="no debug information in 'program': no lines and no inlined calls; compile with -g"
no_names="cannot name functions of 'program'"
changed="the file changed since the run (its build-id differs)"

echo 1..26
compile -Wl,--build-id
id=$(readelf -n "$program" | sed -n 's/.*Build ID: //p')
expect "in the program" "$lines" "$program"
expect "in the program, right build-id" "$lines" -b "$id" "$program"
expect "in the program, wrong build-id" \
	"$bare ??:0; $no_names: $changed" \
	-b 0123456789abcdef0123456789abcdef01234567 "$program"

directory=$work/store/.build-id/$(echo "$id" | cut -c1-2)
mkdir -p "$directory"
store=$directory/$(echo "$id" | cut -c3-).debug
split "$store"
expect "by build-id" "$lines" -d "$work/store" "$program"
mv "$program" "$work/away"
expect "by build-id, program gone" "$lines" -d "$work/store" -b "$id" "$program"
expect "nothing left" "$bare ??:0; $no_names: No such file or directory" \
	-b "$id" "$program"
mv "$work/away" "$program"
rm "$store"
expect "stripped" "$bare ??:0; $no_lines" -d "$work/store" "$program"
address=$(nm -D "$program" | sed -n 's/^\([0-9a-f]*\) T main$/\1/p')
expect "stripped, dynamic symbol" "main ??:0; $no_lines" "$program"
address=$(objdump -d "$program" | sed -n 's/^\([0-9a-f]*\) <puts@plt>:$/\1/p')
expect "stripped, call through the PLT" "puts@plt ??:0; $no_lines" "$program"

compile -Wl,--build-id=none
expect "recorded build-id, program has none" \
	"$bare ??:0; $no_names: $changed" \
	-b "$id" "$program"
split "$work/program.debug"
(cd "$work" && objcopy --add-gnu-debuglink=program.debug program) || exit 99
expect "by link, beside" "$lines" "$program"
mv "$work/program.debug" "$work/.debug/"
expect "by link, in .debug" "$lines" "$program"
mkdir -p "$work/store$work"
mv "$work/.debug/program.debug" "$work/store$work/"
expect "by link, in the debug folder" "$lines" -d "$work/store" "$program"
mv "$work/store$work/program.debug" "$work/"
echo changed >>"$work/program.debug"
expect "by link, wrong sum" "$bare ??:0; $no_lines" "$program"

compile -g0
expect "symbols only" "kept ??:0; $no_lines" "$program"

# Below a sysroot.
compile -Wl,--build-id=sha1
id=$(readelf -n "$program" | sed -n 's/.*Build ID: //p')
root=$work/root
mkdir -p "$root$work" "$root/store/.build-id/$(echo "$id" | cut -c1-2)"
mv "$program" "$root$work/program"
expect "below the sysroot" "$lines" -s "$root" -b "$id" "$program"
expect "... not without it" "$bare ??:0; $no_names: No such file or directory" -b "$id" "$program"
cp "$root$work/program" "$program"
echo >"$root$work/program"
expect "no program there" "$lines" -s "$root" -b "$id" "$program"
cp "$program" "$root$work/program"
objcopy --remove-section=.note.gnu.build-id "$root$work/program"
expect "another program there" "$lines" -s "$root" -b "$id" "$program"
rm "$program"
expect "... and nowhere else" "$bare ??:0; cannot name functions of 'rootprogram': $changed" \
	-s "$root" -b "$id" "$program"
compile -Wl,--build-id=sha1
split "$root/store/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug"
mv "$program" "$root$work/program"
expect "debug file below the sysroot" "$lines" -s "$root" -d /store -b "$id" "$program"
mkdir -p "$root/store$work"
compile -Wl,--build-id=none
split "$work/program.debug"
(cd "$work" && objcopy --add-gnu-debuglink=program.debug program) || exit 99
mv "$program" "$root$work/program"
mv "$work/program.debug" "$root/store$work/"
expect "... by link" "$lines" -s "$root" -d /store "$program"
ln -s root "$work/linked"
expect "... by link, the sysroot is a symbolic link" "$lines" -s "$work/linked" -d /store "$program"
expect "... by link, a slash ends the sysroot" "$lines" -s "$root/" -d /store "$program"
lookup=$(realpath "$lookup")
cd "$work" || exit 99
expect "... by link, a relative sysroot" "$lines" -s root -d /store "$program"
mv "$root$work/program" "$program"
expect "without a build-id, in the recorded place alone" \
	"$bare ??:0; cannot name functions of 'rootprogram': No such file or directory" -s "$root" "$program"
rm -rf "$work"
