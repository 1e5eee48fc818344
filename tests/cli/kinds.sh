#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs that ompprof cannot profile: of another loader, of 32 bits, of another machine, linked statically. Foreign
# ones run as they do alone, static ones are refused before they begin. `doctor` says the same.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
command -v gcc >/dev/null || skip_all "gcc is not installed"
tap_scratch
cd "$scratch" || broken "cannot enter the scratch folder"

# outcome COMMAND...: its exit status and its standard output; what it says is in the file err.
outcome() {
	got=0
	env -i PATH="$PATH" HOME="$scratch" "$@" >out 2>err || got=$?
	echo "$got"
	cat out
}

# foreign DESCRIPTION PROGRAM REASON: the program runs as alone, and one line says why there is no profile.
foreign() {
	alone=$(outcome "$2")
	is "$1: as alone" "$(outcome "$ompprof" run -o p "$2")" "$alone"
	is "... one line" "$(cat err)" "ompprof: cannot profile '$2': $3; it runs without a profile"
	check "... no folder" [ ! -e p ]
	is "... --quiet: as alone" "$(outcome "$ompprof" run -q -o p "$2")$(cat err)" "$alone"
	is "... without a verb: as alone" "$(outcome "$ompprof" "$2")" "$alone"
	is "... one line" "$(cat err)" "ompprof: cannot profile '$2': $3; it runs without a profile"
	is "... doctor" "$("$ompprof" doctor "$2" | tr -s ' \n' ' ' | grep -cF "': $3; 'ompprof run' runs it")" 1
}

# A loader that is not glibc's, and like musl's has no name by which it could be known: it prints its
# environment, and fails where something is preloaded by a path that it finds.
cat >loader.c <<'C'
#if defined(__x86_64__)
__asm__(".globl _start\n_start: mov %rsp, %rdi\n and $-16, %rsp\n call start\n");
static long ask(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}
enum { ACCESS = 21, WRITE = 1, EXIT = 60 };
#else
__asm__(".globl _start\n_start: push %esp\n call start\n");
static long ask(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
	return result;
}
enum { ACCESS = 33, WRITE = 4, EXIT = 1 };
#endif
static int is_preload(const char *entry)
{
	const char *name = "LD_PRELOAD=";

	while (*name && *name == *entry)
		name++, entry++;
	return !*name;
}
void start(long *stack)
{
	char **entry = (char **)(stack + *stack + 2);
	int status = 5;

	for (; *entry; entry++) {
		char *end = *entry;

		while (*end && *end != ' ' && (*end != ':' || !is_preload(*entry)))
			end++;
		if (is_preload(*entry)) {
			*end = 0;
			status = ask(ACCESS, (long)(*entry + 11), 0, 0) == 0 ? 127 : status;
		}
		ask(WRITE, 1, (long)*entry, end - *entry);
		ask(WRITE, 1, (long)"\n", 1);
	}
	ask(EXIT, status, 0, 0);
}
C
echo 'int main(void) { return 5; }' >program.c
bare="-O1 -ffreestanding -fno-stack-protector -nostdlib -static"
# Options are words on purpose.
# shellcheck disable=SC2086
if gcc $bare loader.c -o loader && gcc program.c -Wl,--dynamic-linker="$PWD/loader" -o other &&
	[ "$(outcome ./other | head -n 1)" = 5 ]; then
	foreign "another loader" ./other "its loader, '$PWD/loader', is not the one of the GNU C library"
	printf '#!%s\n' "$PWD/other" >script
	chmod +x script
	foreign "... of a script's interpreter" ./script \
		"its loader, '$PWD/loader', is not the one of the GNU C library"
	is "... started by a script: its status" \
		"$(outcome "$ompprof" run -q -o p sh -c './other >/dev/null; echo $?')" "0
5"
	rm -rf p
else
	skip "another loader" "no program without the C library can be built"
fi
ln -s "$(realpath /lib64/ld-linux-x86-64.so.2)" renamed
gcc program.c -Wl,--dynamic-linker="$PWD/renamed" -o usual || broken "cannot build a program"
is "glibc's loader by another name is the usual one" \
	"$(outcome "$ompprof" run -o p ./usual) $(grep -c 'samples.* -> p' err)" "5 1"
is "... as a command, too" \
	"$(outcome "$ompprof" run -o p ./renamed ./usual) $(grep -c 'samples.* -> p' err)" "5 1"
rm -rf p p.old
# shellcheck disable=SC2086
if gcc -m32 $bare loader.c -o narrow 2>/dev/null && [ "$(outcome ./narrow | head -n 1)" = 5 ]; then
	foreign "32 bits" ./narrow "it is a 32-bit program"
else
	skip "32 bits" "no program of 32 bits can be built or executed"
fi
# The machine's number is at 18: 183 is AArch64. The kernel does not know the file.
cp usual elsewhere
printf '\267' | dd of=elsewhere bs=1 seek=18 conv=notrunc 2>/dev/null
is "another machine: doctor" "$("$ompprof" doctor ./elsewhere | tr -s ' \n' ' ' |
	grep -cF "'./elsewhere': it is for AArch64, not for x86-64;")" 1
if command -v musl-gcc >/dev/null && musl-gcc program.c -o musl 2>/dev/null; then
	foreign "musl" ./musl "its loader, '$(patchelf --print-interpreter musl 2>/dev/null ||
		echo /lib/ld-musl-x86_64.so.1)', is not the one of the GNU C library"
	is "... started by a script: its status" "$(outcome "$ompprof" run -q -o p sh -c './musl; echo $?')$(cat err)" "0
5"
	rm -rf p
else
	skip "musl" "musl-gcc is not installed"
fi

# --- linked statically
printf '#include <stdio.h>\nint main(void) { return fclose(fopen("executed", "w")) + 11; }\n' >static.c
for kind in static static-pie; do
	if ! gcc -$kind static.c -o $kind 2>/dev/null; then
		skip "$kind" "cannot be built"
		continue
	fi
	want="125
ompprof: cannot profile './$kind': it is linked statically: no loader brings the profiler in
ompprof: hint: link it without -static; if it starts the program to profile, use 'ompprof run --anyway'"
	is "$kind: refused" "$(outcome "$ompprof" run -o p ./$kind; cat err)" "$want"
	is "... --quiet, too" "$(outcome "$ompprof" run -q -o p ./$kind; cat err)" "$want"
	is "... without a verb, too" "$(outcome "$ompprof" ./$kind; cat err)" "$want"
	check "... before it begins" [ ! -e executed ]
	check "... no folder" [ ! -e p ]
	is "... --anyway" "$(outcome "$ompprof" run --anyway -o p ./$kind; cat err)" "11
ompprof: './$kind' wrote no profile: it said why, or is linked statically"
	check "... it has run" [ -e executed ]
	printf '#!%s\n' "$PWD/$kind" >script
	chmod +x script
	is "... the interpreter of a script: its status" "$(outcome "$ompprof" run -q -o p ./script)" 11
	is "... started by a script: its status" "$(outcome "$ompprof" run -q -o p sh -c "./$kind; echo \$?")" "0
11"
	rm -rf p p.old executed
	is "... doctor" "$("$ompprof" doctor ./$kind | tr -s ' \n' ' ' |
		grep -cF "cannot profile './$kind': it is linked statically")" 1
done
plan
