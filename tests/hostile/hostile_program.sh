# SPDX-License-Identifier: Apache-2.0
# A program whose functions and thread have names that mean harm: `. "$srcdir/tests/hostile/hostile_program.sh"`, after tap.sh.
#
# The name of one function has what separates words in some format, escape sequences that set a terminal's title, quotes,
# a newline, a byte that is no UTF-8, a right-to-left mark, and ends of elements; that of the other has 100,000 bytes. The
# linker gets letters in the place of the first one.

# harmful_name: the first one's bytes, as Python has them.
harmful_name='e;"'"\\'"'\\\n\r\t\033]0;t\007\377\342\200\256</script>]]>--><b>&amp;,=(1) fn=x 5'

# harmful_program SOURCE FILE [OPTION...]: writes SOURCE, and what is made of it by gcc, with options, to FILE; uses the
# current folder. The calls are DEPTH deep, 0 by default. Skips all tests where the assembler does not take such names.
harmful_program() {
	source=$1 file=$2
	shift 2
	cat >hostile.py <<END
import sys
evil = b'$harmful_name'
END
	cat >>hostile.py <<'END'
letters = b'Z' * len(evil)
if len(sys.argv) > 1:
    data = open(sys.argv[1], 'rb').read()
    open(sys.argv[1], 'wb').write(data.replace(b'\0' + letters + b'\0', b'\0' + evil + b'\0'))
    sys.exit()
with open('burn.s', 'w') as out:
    for i, name in enumerate([letters.decode(), 'l' * 100000]):
        out.write(f'.text\n.globl burn{i}\n.type {name},@function\n.globl {name}\n'
                  f'{name}:\nburn{i}:\n1: dec %rdi\njnz 1b\nret\n.size {name},.-{name}\n')
    out.write('.section .note.GNU-stack,"",@progbits\n')
END
	cat >"$source" <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#ifndef DEPTH
#define DEPTH 0
#endif
void burn0(long n);
void burn1(long n);
__attribute__((noinline)) static int deep(int n)
{
	int found = 0;
	if (n)
		return deep(n - 1) + 1;
	burn0(1000000);
	burn1(1000000);
	__asm__ volatile("" : "+r"(found));
	return found;
}
int main(void)
{
	int found = 0;
	pthread_setname_np(pthread_self(), "t\033[31m;\"\\\n\377<");
	while (clock() < CLOCKS_PER_SEC / 5)
		found |= deep(DEPTH);
	return found && DEPTH == 0;
}
END
	python3 hostile.py
	gcc -g -O1 -fno-optimize-sibling-calls "$@" "$source" burn.s -o "$file" -lpthread 2>log ||
		skip_all "the assembler does not take such names: $(head -n 1 log)"
	# The labels that C calls are in the way of the names.
	objcopy --strip-symbol=burn0 --strip-symbol=burn1 "$file" 2>log || broken "$(cat log)"
	python3 hostile.py "$file"
}
