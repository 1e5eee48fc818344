/* SPDX-License-Identifier: Apache-2.0 */
/* Steps a program and compares walker_cfi's paths with its chains; see chain.h. */
#include "tests/walker/chain.h"

#include "tests/walker/chain_judge.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define TRAP_FLAG       0x100
#define CAP_SECONDS     20
#define MAX_CHAINS      8
#define ALT_STACK_BYTES (1 << 18)
#define N_SHOWN         12

static struct chain main_chain;
struct chain *volatile chain_now = &main_chain;
struct chain_wanted chain_wanted;
volatile int chain_is_stepping;

static struct {
	struct walk_bounds bounds;
	struct chain *chains[MAX_CHAINS];
	int n_chains;
	struct walk_path fresh, kept;
	int is_bridged; /* innermost functions without rules are to be bridged by memory */
	uint64_t ip;    /* of the check that goes on */
	long n_checks, n_wrong, n_explained, n_kept;
	/* The first wrong path, and why. */
	const char *why, *label;
	const struct walk_path *which;
	uint32_t n_frames, end;
	struct walk_frame frame[N_SHOWN];
	uint32_t n_links;
	struct chain_link link[N_SHOWN]; /* innermost first */
} steps;

/* The chain of the stack that sp is on. */
static struct chain *find_chain(uint64_t sp)
{
	for (int i = 0; i < steps.n_chains; i++)
		if (sp >= steps.chains[i]->lo && sp < steps.chains[i]->hi)
			return steps.chains[i];
	return chain_now;
}

/* Returns the fault of a path if the chain has n links, or NULL if it has none. */
static const char *judge(
	const struct walk_path *path, const struct chain *chain, uint32_t n, uint64_t ip)
{
	struct chain_trial trial = { .path = path,
		.ip = ip,
		.bounds = &steps.bounds,
		.chain = chain,
		.n = n,
		.wanted = &chain_wanted };

	return chain_judge(&trial);
}

/* Whether a wrong path can be explained; see struct chain_wanted. */
static int is_explained(const struct walk_path *path, const struct chain *chain, uint64_t ip)
{
	for (uint32_t n = chain->n; chain_wanted.is_unwound && n >= chain_wanted.n_sure; n--)
		if (!judge(path, chain, n, ip))
			return 1;
	return chain_wanted.is_explained && chain_wanted.is_explained(ip);
}

static void keep_failure(const struct walk_path *path, const struct chain *chain, const char *why)
{
	steps.why = why;
	steps.label = chain_wanted.label;
	steps.which = path;
	steps.n_frames = path->n;
	steps.end = path->end;
	for (uint32_t i = 0; i < path->n && i < N_SHOWN; i++)
		steps.frame[i] = path->frame[i];
	for (; steps.n_links < chain->n && steps.n_links < N_SHOWN; steps.n_links++)
		steps.link[steps.n_links] = chain->link[chain->n - 1 - steps.n_links];
}

/* Whether both walks found the same. */
static int is_same(const struct walk_path *a, const struct walk_path *b)
{
	if (a->n != b->n || a->end != b->end)
		return 0;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->frame[i].ip != b->frame[i].ip || a->frame[i].cfa != b->frame[i].cfa ||
			a->frame[i].how != b->frame[i].how)
			return 0;
	return 1;
}

/* Both paths: which of them is wrong, and why; NULL if neither is. */
static const char *judge_both(
	const struct chain *chain, uint64_t ip, const struct walk_path **wrong)
{
	int is_gap = steps.is_bridged && steps.fresh.n == 1 && steps.fresh.end == WALK_NO_CFI;
	const char *why = is_gap ? NULL : judge(&steps.fresh, chain, chain->n, ip);

	*wrong = &steps.fresh;
	if (why)
		return why;
	*wrong = &steps.kept;
	if (is_gap)
		return judge(&steps.kept, chain, chain->n, ip);
	return is_same(&steps.fresh, &steps.kept) ? NULL : "a walk with memory finds another path";
}

static void check(const ucontext_t *context)
{
	uint64_t ip = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	const struct chain *chain = find_chain((uint64_t)context->uc_mcontext.gregs[REG_RSP]);
	const struct walk_path *path;
	struct walk_registers registers;
	const char *why;

	steps.ip = ip;
	walk_registers_from_ucontext(&registers, context);
	walk_path_begin(&steps.fresh);
	walker_cfi.walk(&registers, &steps.bounds, UINT64_MAX, &steps.fresh);
	walker_cfi.walk(&registers, &steps.bounds, UINT64_MAX, &steps.kept);
	steps.n_checks++;
	steps.n_kept += steps.kept.n_kept > 0;
	why = judge_both(chain, ip, &path);
	if (!why)
		return;
	if (path == &steps.fresh && is_explained(path, chain, ip))
		steps.n_explained++;
	else if (steps.n_wrong++ == 0)
		keep_failure(path, chain, why);
}

static void on_trap(int signal_number, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;
	greg_t *gregs = context->uc_mcontext.gregs;

	(void)signal_number;
	(void)info;
	if (!chain_is_stepping) {
		gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
		return;
	}
	gregs[REG_EFL] |= TRAP_FLAG;
	check(context);
}

static void print_address(const char *what, uint64_t ip, uint64_t cfa)
{
	Dl_info info = { 0 };

	dladdr((void *)(uintptr_t)ip, &info);
	printf("  %s %#lx cfa %#lx %s+%#lx in %s+%#lx\n", what, ip, cfa,
		info.dli_sname ? info.dli_sname : "?",
		info.dli_saddr ? ip - (uintptr_t)info.dli_saddr : 0,
		info.dli_fname ? info.dli_fname : "?",
		info.dli_fbase ? ip - (uintptr_t)info.dli_fbase : 0);
}

/* The walker faulted, or the program did, or it does not end: the case is over. */
static void on_fault(int signal_number, siginfo_t *info, void *argument)
{
	const ucontext_t *context = argument;

	printf("wrong: %s%s%s, at %p\n", strsignal(signal_number),
		chain_wanted.label ? " in case of " : "",
		chain_wanted.label ? chain_wanted.label : "", info->si_addr);
	print_address("stood", (uint64_t)context->uc_mcontext.gregs[REG_RIP], 0);
	print_address("stepped", steps.ip, 0);
	fflush(stdout);
	_exit(1);
}

static void find_bounds(void)
{
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		chain_skip("the stack's bounds are not known");
	pthread_attr_getstack(&attributes, &lo, &size);
	pthread_attr_destroy(&attributes);
	steps.bounds = (struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size };
}

/* Traps are handled on a stack of their own: some of the stacks that are stepped are small. */
static void add_signal_stack(void)
{
	stack_t stack = { .ss_size = ALT_STACK_BYTES };

	stack.ss_sp = mmap(
		NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
		chain_skip("no alternate signal stack");
}

void chain_add(struct chain *chain)
{
	if (steps.n_chains == MAX_CHAINS)
		chain_skip("too many stacks");
	steps.chains[steps.n_chains++] = chain;
}

void chain_begin_thread(struct chain *chain)
{
	find_bounds();
	add_signal_stack();
	chain_now = chain;
}

void chain_skip(const char *reason)
{
	printf("%s\n", reason);
	fflush(stdout);
	_exit(77);
}

void chain_wrong(const char *what)
{
	if (steps.n_wrong++ == 0)
		steps.why = what;
}

int CHAIN_KEEP chain_work(int depth)
{
	int result = depth * 3 + 1;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	if (depth > 0)
		result += chain_work(depth - 1);
	CHAIN_LEAVE(chain_now);
	return result;
}

static void report_failure(void)
{
	printf("%s%s%s\n", steps.label ? steps.label : "", steps.label ? ": " : "", steps.why);
	if (!steps.which)
		return;
	printf("%s: %u frames, end %u; stack [%#lx, %#lx)\n",
		steps.which == &steps.kept ? "with memory" : "without memory", steps.n_frames,
		steps.end, steps.bounds.lo, steps.bounds.hi);
	for (uint32_t i = 0; i < steps.n_frames && i < N_SHOWN; i++)
		print_address("frame", steps.frame[i].ip, steps.frame[i].cfa);
	for (uint32_t i = 0; i < steps.n_links; i++)
		print_address("link: from", steps.link[i].return_address, steps.link[i].cfa);
}

static int report(void)
{
	int is_right =
		steps.n_wrong == 0 && steps.n_checks > 0 &&
		steps.n_explained * 100 <= steps.n_checks * (long)chain_wanted.explained_percent;

	printf("%s checks %ld wrong %ld explained %ld kept %ld\n", is_right ? "right" : "wrong",
		steps.n_checks, steps.n_wrong, steps.n_explained, steps.n_kept);
	if (steps.n_wrong)
		report_failure();
	return !is_right;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	const struct chain_case *c = chain_cases;

	CHAIN_ENTER(&main_chain, CHAIN_CALLED);
	while (c->name && argc > 1 && strcmp(c->name, argv[1]) != 0)
		c++;
	if (argc < 2 || !c->name) {
		fprintf(stderr, "chain: no such case\n");
		return 2;
	}
	steps.is_bridged = argc > 2;
	if (walker_cfi.init && walker_cfi.init() != 0)
		chain_skip("walker_cfi does not work here");
	find_bounds();
	main_chain.lo = steps.bounds.lo;
	main_chain.hi = steps.bounds.hi;
	chain_add(&main_chain);
	add_signal_stack();
	sigaction(SIGTRAP, &action, NULL);
	action.sa_sigaction = on_fault;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	alarm(CAP_SECONDS);
	c->run();
	return report();
}
