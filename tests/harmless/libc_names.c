/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of a program that defines functions by names of the C library's, and exports them, as -rdynamic does.
 * names.inc has NAME(function) for each. A call goes on to the function that the program would have called without
 * this file. The names of those that ompprof's library has called are written to the file NAMES_OUT at the end.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(name) static const char name_of_##name[] = #name;
#include "names.inc"
#undef NAME

#define NAME(name) name_of_##name,
static const char *const names[] = {
#include "names.inc"
};
#undef NAME

enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

static void *next[N_NAMES];
static char is_called[N_NAMES];

static int is_in_ompprof(void *caller)
{
	struct dl_find_object found;
	const char *name, *slash = "";

	if (_dl_find_object(caller, &found) != 0)
		return 0;
	for (name = found.dlfo_link_map->l_name; *name; name++) {
		if (*name == '/')
			slash = name;
	}
	return slash[0] == '/' && slash[1] == 'l' && slash[2] == 'i' && slash[3] == 'b' &&
	       slash[4] == 'o' && slash[5] == 'm' && slash[6] == 'p' && slash[7] == 'p';
}

/* Where the call of a function that returns to `caller` goes on. Calls no function of the C library by its name. */
__attribute__((used)) static void *go_on(long name, void *caller)
{
	static void *(*find)(void *, const char *);

	if (is_in_ompprof(caller))
		is_called[name] = 1;
	if (!find)
		find = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	if (!next[name])
		next[name] = find(RTLD_NEXT, names[name]);
	return next[name];
}

/* All arguments are kept, also how many there are in vector registers, and the return address. */
__asm__(".text\n"
	"pass_on:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	sub $192, %rsp\n"
	"	mov %rax, (%rsp)\n"
	"	mov %rdi, 8(%rsp)\n"
	"	mov %rsi, 16(%rsp)\n"
	"	mov %rdx, 24(%rsp)\n"
	"	mov %rcx, 32(%rsp)\n"
	"	mov %r8, 40(%rsp)\n"
	"	mov %r9, 48(%rsp)\n"
	"	movups %xmm0, 64(%rsp)\n"
	"	movups %xmm1, 80(%rsp)\n"
	"	movups %xmm2, 96(%rsp)\n"
	"	movups %xmm3, 112(%rsp)\n"
	"	movups %xmm4, 128(%rsp)\n"
	"	movups %xmm5, 144(%rsp)\n"
	"	movups %xmm6, 160(%rsp)\n"
	"	movups %xmm7, 176(%rsp)\n"
	"	mov %r11, %rdi\n"
	"	mov 8(%rbp), %rsi\n"
	"	call go_on\n"
	"	mov %rax, %r11\n"
	"	movups 176(%rsp), %xmm7\n"
	"	movups 160(%rsp), %xmm6\n"
	"	movups 144(%rsp), %xmm5\n"
	"	movups 128(%rsp), %xmm4\n"
	"	movups 112(%rsp), %xmm3\n"
	"	movups 96(%rsp), %xmm2\n"
	"	movups 80(%rsp), %xmm1\n"
	"	movups 64(%rsp), %xmm0\n"
	"	mov 48(%rsp), %r9\n"
	"	mov 40(%rsp), %r8\n"
	"	mov 32(%rsp), %rcx\n"
	"	mov 24(%rsp), %rdx\n"
	"	mov 16(%rsp), %rsi\n"
	"	mov 8(%rsp), %rdi\n"
	"	mov (%rsp), %rax\n"
	"	leave\n"
	"	jmp *%r11\n"
	".set number, 0\n");

#define NAME(name)                                                                                 \
	__asm__(".globl " #name "\n"                                                               \
		".type " #name ", @function\n" #name ":\n"                                         \
		"	mov $number, %r11\n"                                                             \
		"	jmp pass_on\n"                                                                   \
		".size " #name ", . - " #name "\n"                                                 \
		".set number, number + 1\n");
#include "names.inc"

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("NAMES_OUT");
	FILE *file = path ? fopen(path, "a") : NULL;

	for (int i = 0; file && i < N_NAMES; i++) {
		if (is_called[i])
			fprintf(file, "%s\n", names[i]);
	}
	if (file)
		fclose(file);
}
