/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walker_cfi against the truth: the thread steps through real work instruction by instruction, by
 * the processor's trap flag, and the trap handler keeps a shadow stack of (return address, slot).
 * After every instruction the walker's (ip, CFA) must be the shadow stack's, frame by frame:
 * prologues, epilogues, PLT stubs, the lazy resolver, the vdso, realigned frames, alloca.
 * Speaks TAP.
 */
#include "unwinder/walk.h"

#include <alloca.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#define TRAP_FLAG         0x100
#define MAX_SHADOW        1024
#define WANTED_CHECKS     50000
#define MAX_SHOWN         5
#define MAX_CALL_PREFIXES 3
#define MAX_CALL_BYTES    9

struct call {
	uint64_t slot;
	uint64_t return_address;
};

static struct {
	struct call calls[MAX_SHADOW];
	uint32_t depth;
	uint64_t previous_ip, previous_sp;
	long n_instructions, n_checks, n_wrong;
	volatile int is_stepping;
} shadow;

static struct walk_bounds bounds;
static struct walk_path path;
static uint64_t shown[MAX_SHOWN];

/* Whether a near call stands at ip: E8, or FF with 2 in the middle field, behind prefixes. */
static int is_call(uint64_t ip)
{
	const uint8_t *code = (const uint8_t *)(uintptr_t)ip;

	for (int i = 0; i < MAX_CALL_PREFIXES; i++, code++)
		if ((*code & 0xf0) != 0x40 && *code != 0xf2 && *code != 0x3e)
			break;
	return *code == 0xe8 || (*code == 0xff && (code[1] >> 3 & 7) == 2);
}

/* Brings the shadow stack to where the last instruction has led. */
static void follow(uint64_t sp)
{
	uint64_t top = *(const uint64_t *)(uintptr_t)sp;

	while (shadow.depth > 0 && shadow.calls[shadow.depth - 1].slot < sp)
		shadow.depth--;
	if (sp == shadow.previous_sp - 8 && is_call(shadow.previous_ip) &&
		top - shadow.previous_ip <= MAX_CALL_BYTES && shadow.depth < MAX_SHADOW)
		shadow.calls[shadow.depth++] = (struct call){ .slot = sp, .return_address = top };
}

static int is_right(uint64_t ip)
{
	for (uint32_t i = 0; i < shadow.depth; i++) {
		const struct call *call = &shadow.calls[shadow.depth - 1 - i];

		if (i + 1 >= path.n || path.frame[i].ip != ip ||
			path.frame[i].cfa != call->slot + 8)
			return 0;
		ip = call->return_address;
	}
	return path.n > shadow.depth && path.frame[shadow.depth].ip == ip &&
	       path.end == WALK_COMPLETE;
}

static void check(const ucontext_t *context)
{
	struct walk_registers registers;

	walk_registers_from_ucontext(&registers, context);
	walker_cfi.walk(&registers, &bounds, UINT64_MAX, &path);
	shadow.n_checks++;
	if (is_right(registers.reg[WALK_RIP]))
		return;
	if (shadow.n_wrong < MAX_SHOWN)
		shown[shadow.n_wrong] = registers.reg[WALK_RIP];
	shadow.n_wrong++;
}

static void on_trap(int signal_number, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;
	greg_t *gregs = context->uc_mcontext.gregs;
	uint64_t sp = (uint64_t)gregs[REG_RSP];

	(void)signal_number;
	(void)info;
	if (!shadow.is_stepping) {
		gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
		return;
	}
	gregs[REG_EFL] |= TRAP_FLAG;
	follow(sp);
	shadow.previous_ip = (uint64_t)gregs[REG_RIP];
	shadow.previous_sp = sp;
	shadow.n_instructions++;
	if (shadow.depth > 0)
		check(context);
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int __attribute__((noinline)) aligned(int n)
{
	volatile int block[16] __attribute__((aligned(128)));
	volatile char *room = alloca((size_t)n * 24 + 1);

	room[0] = (char)n;
	block[n % 16] = n;
	return n ? aligned(n - 1) + block[n % 16] + room[0] : 0;
}

/* Every function of the C library is called for the first time here: by the lazy resolver. */
static __attribute__((noinline)) int work(void)
{
	static int v[200];
	char line[100];
	regex_t regex;
	int found = 0;

	for (int i = 0; i < 200; i++)
		v[i] = i * 7919 % 1000;
	qsort(v, 200, sizeof(v[0]), compare_ints);
	snprintf(line, sizeof(line), "%d %s %g", v[3], "aabac", strtod("3.25e3", NULL));
	if (regcomp(&regex, "(a|b)+c *[0-9]*", REG_EXTENDED) == 0) {
		found = regexec(&regex, line, 0, NULL, 0);
		regfree(&regex);
	}
	return found + aligned(20) + (int)time(NULL) + (int)strlen(strstr(line, "aab"));
}

static void report(void)
{
	int is_ok = shadow.n_wrong == 0 && shadow.n_checks >= WANTED_CHECKS;

	for (long i = 0; i < shadow.n_wrong && i < MAX_SHOWN; i++)
		printf("# wrong at %#lx\n", shown[i]);
	printf("1..1\n%s 1 - %ld instructions, %ld paths checked, %ld wrong\n",
		is_ok ? "ok" : "not ok", shadow.n_instructions, shadow.n_checks, shadow.n_wrong);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return 99;
	pthread_attr_getstack(&attributes, &lo, &size);
	bounds = (struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size };
	if (walker_cfi.init() != 0)
		return 99;
	sigaction(SIGTRAP, &action, NULL);
	shadow.is_stepping = 1;
	__asm__ volatile("int3" : : : "memory");
	work();
	shadow.is_stepping = 0;
	__asm__ volatile("nop" : : : "memory");
	report();
	return 0;
}
