/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases for awkward.sh: rules that lie, made-up stacks, stack pointers that are none. A path may
 * end at any of them; what is inside of them must be right, and nothing may fault or take long.
 * Cases are run by chain.c.
 */
#include "tests/walker/chain.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE    4096ul
#define N_NODES 100000
#define N_SLOW  20

#define COROUTINE_PAGES 64ul

struct node {
	uint64_t next; /* rbx of the caller, which is the next node */
	uint64_t return_address;
};

struct place {
	uint64_t cfa;
	uint64_t return_address;
	uint64_t next; /* rbx of the caller, which is the next place */
};

struct rule {
	const char *name;
	void (*function)(void (*)(void), void *);
};

extern const struct rule hostile_rules[];
extern const char hostile_followed[], hostile_hopped[];
void hostile_follow(void (*function)(void), const void *node);
void hostile_hop(void (*function)(void), const void *place);
void hostile_borrow(uint64_t sp);
void hostile_borrow_lying(uint64_t sp);

static void stepped(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_steps_begin();
	chain_work(1);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP void run_rules(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.is_loose = 1;
	chain_wanted.n_sure = chain_now->n;
	for (const struct rule *rule = hostile_rules; rule->name; rule++) {
		chain_wanted.label = rule->name;
		rule->function(stepped, stdout);
	}
	CHAIN_LEAVE(chain_now);
}

static const struct rule *find_rule(const char *name)
{
	const struct rule *rule = hostile_rules;

	while (rule->name && __builtin_strcmp(rule->name, name) != 0)
		rule++;
	return rule;
}

static int n_more;

/* Again and again into the function of very many instructions: each of its frames takes long. */
static void again(void)
{
	if (n_more-- > 0)
		find_rule("very_many")->function(again, NULL);
	else
		stepped();
}

static CHAIN_KEEP void run_slow(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.is_loose = 1;
	chain_wanted.n_sure = chain_now->n;
	n_more = N_SLOW;
	again();
	CHAIN_LEAVE(chain_now);
}

/* n pages to write, between two pages that cannot be accessed. */
static char *guarded(size_t n)
{
	char *at = mmap(NULL, (n + 2) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + PAGE, n * PAGE, PROT_READ | PROT_WRITE) != 0)
		chain_skip("no memory for made-up stacks");
	return at + PAGE;
}

/* A page of a file that is longer than the file: to read it is SIGBUS. */
static char *beyond_file(void)
{
	char name[] = "/tmp/ompprof-test.XXXXXX";
	int fd = mkstemp(name);
	char *at;

	if (fd < 0 || ftruncate(fd, 1) != 0)
		chain_skip("no file");
	unlink(name);
	at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		chain_skip("no file to map");
	return at + PAGE;
}

static char *unmapped(void)
{
	char *at = guarded(1);

	munmap(at - PAGE, 3 * PAGE);
	return at;
}

static struct node *node_at(char *at, const void *next)
{
	struct node *node = (struct node *)(void *)at;

	node->next = (uintptr_t)next;
	node->return_address = (uintptr_t)hostile_followed;
	return node;
}

static void follow(const char *label, const void *node)
{
	chain_wanted.label = label;
	hostile_follow(stepped, node);
}

static CHAIN_KEEP void run_nodes(void)
{
	char *low = guarded(N_NODES * sizeof(struct node) / PAGE + 1);
	char *high = guarded(1);
	uint64_t here = (uintptr_t)__builtin_frame_address(0);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.is_loose = 1;
	chain_wanted.n_sure = chain_now->n;
	follow("a node that is its own next", node_at(low, low));
	node_at(high, low);
	follow("two pages in turn", node_at(low, high));
	node_at(low + 64, low);
	follow("up and down one page", node_at(low, low + 64));
	for (size_t i = 0; i < N_NODES; i++)
		node_at(low + i * sizeof(struct node), low + (i + 1) * sizeof(struct node));
	follow("a long way up", low);
	for (size_t i = N_NODES; i-- > 1;)
		node_at(low + i * sizeof(struct node), low + (i - 1) * sizeof(struct node));
	follow("a long way down", low + (N_NODES - 1) * sizeof(struct node));
	follow("into a page of nothing", node_at(low, high + PAGE));
	follow("out of the end of a page", high + PAGE - 8);
	follow("ends where a page does", node_at(high + PAGE - 16, high + PAGE - 16));
	follow("before a page", high - 8);
	follow("unmapped", unmapped());
	follow("into the unmapped", node_at(low, unmapped()));
	follow("beyond a file's end", beyond_file());
	follow("into what is beyond a file's end", node_at(low, beyond_file()));
	follow("code", hostile_followed);
	follow("not aligned", node_at(low + 3, low + 11));
	follow("null", NULL);
	follow("the last byte", (void *)-1);
	follow("the last node", (void *)-16);
	follow("the kernel", (void *)0xffff800000000000);
	follow("not canonical", (void *)0x0000800000000000);
	follow("back to the thread's stack, inside", node_at(low, (void *)(here - 4096)));
	follow("back to the thread's stack, outside", node_at(low, (void *)(here + 64)));
	CHAIN_LEAVE(chain_now);
}

static struct place *place_at(char *at, const char *next)
{
	struct place *place = (struct place *)(void *)at;

	place->cfa = (uintptr_t)next;
	place->return_address = (uintptr_t)hostile_hopped;
	place->next = (uintptr_t)next;
	return place;
}

/* From a place on this stack to one elsewhere. */
static void hop(const char *label, const char *to)
{
	struct place first;

	chain_wanted.label = label;
	place_at((char *)&first, to);
	hostile_hop(stepped, &first);
}

static CHAIN_KEEP void run_hops(void)
{
	char *low = guarded(N_NODES * sizeof(struct place) / PAGE + 1);
	char *high = guarded(1);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.is_loose = 1;
	chain_wanted.n_sure = chain_now->n;
	hop("a place that is its own next", (char *)place_at(low, low));
	place_at(high, low);
	hop("two pages in turn", (char *)place_at(low, high));
	for (size_t i = 0; i < N_NODES; i++)
		place_at(low + i * sizeof(struct place), low + (i + 1) * sizeof(struct place));
	hop("a long way up", low);
	for (size_t i = N_NODES; i-- > 1;)
		place_at(low + i * sizeof(struct place), low + (i - 1) * sizeof(struct place));
	hop("a long way down", low + (N_NODES - 1) * sizeof(struct place));
	for (size_t i = 0; i < N_NODES * sizeof(struct place) / PAGE; i++)
		place_at(low + i * PAGE, low + (i + 1) * PAGE);
	hop("each time a page further", low);
	hop("into a page of nothing", (char *)place_at(low, high + PAGE));
	hop("out of the end of a page", high + PAGE - 8);
	hop("ends where a page does", (char *)place_at(high + PAGE - 24, high + PAGE - 24));
	hop("before a page", high - 8);
	hop("unmapped", unmapped());
	hop("into the unmapped", (char *)place_at(low, unmapped()));
	hop("beyond a file's end", beyond_file());
	hop("into what is beyond a file's end", (char *)place_at(low, beyond_file()));
	hop("code", hostile_followed);
	hop("not aligned", (char *)place_at(low + 3, low + 11));
	hop("null", NULL);
	hop("the last byte", (char *)-1);
	hop("the last place", (char *)-24);
	hop("the kernel", (char *)0xffff800000000000);
	hop("not canonical", (char *)0x0000800000000000);
	CHAIN_LEAVE(chain_now);
}

/* To another stack and back to this one, where it has been already and where it has not. */
static CHAIN_KEEP void run_hops_back(void)
{
	char *page = guarded(1);
	char *here = __builtin_frame_address(0);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.is_loose = 1;
	chain_wanted.n_sure = chain_now->n;
	hop("outside", (char *)place_at(page, here + 64));
	hop("inside", (char *)place_at(page, here - 4096));
	CHAIN_LEAVE(chain_now);
}

/* The stack pointer is something else for a while, and the rules do not say so. */
static void borrow(const char *label, uint64_t sp)
{
	chain_wanted.label = label;
	chain_wanted.is_loose = 1;
	chain_steps_begin();
	hostile_borrow_lying(sp);
	chain_steps_end();
}

/* AMD's processors cannot return to a thread whose stack pointer is not canonical: it gets SIGSEGV. */
static int returns_to_any_sp(void)
{
	unsigned eax = 0, ebx = 0, ecx, edx;

	__get_cpuid(0, &eax, &ebx, &ecx, &edx);
	return ebx != signature_AMD_ebx;
}

static void borrow_all(void (*one)(const char *label, uint64_t sp))
{
	char *page = guarded(1);
	uint64_t here = (uintptr_t)__builtin_frame_address(0);

	one("null", 0);
	one("8", 8);
	one("the end of a page", (uintptr_t)page + PAGE);
	one("the begin of a page", (uintptr_t)page);
	one("a word before the end of a page", (uintptr_t)page + PAGE - 8);
	one("unmapped", (uintptr_t)unmapped());
	one("beyond a file's end", (uintptr_t)beyond_file());
	one("the thread's stack, not aligned", here - 4093);
	one("the thread's stack, inside", here - 65536);
	one("the thread's stack, outside", here + 64);
	one("code", (uintptr_t)hostile_followed);
	one("the kernel", 0xffff800000000000);
	if (returns_to_any_sp())
		one("not canonical", 0x0000800000000000);
	one("the last word", (uint64_t)-8);
}

static CHAIN_KEEP void run_borrowed_lying(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.n_sure = chain_now->n;
	borrow_all(borrow);
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP void borrow_honest(const char *label, uint64_t sp)
{
	CHAIN_ENTER(chain_now, CHAIN_THROUGH);
	chain_wanted.label = label;
	chain_steps_begin();
	hostile_borrow(sp);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP void run_borrowed(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	borrow_all(borrow_honest);
	CHAIN_LEAVE(chain_now);
}

/* The same on a stack that is not the thread's, from which a path may lead to any other. */

static struct chain coroutine_chain;
static ucontext_t outer_context, inner_context;

static CHAIN_KEEP void run_coroutine(void (*routine)(void))
{
	getcontext(&inner_context);
	inner_context.uc_stack.ss_size = COROUTINE_PAGES * PAGE;
	inner_context.uc_stack.ss_sp = guarded(COROUTINE_PAGES);
	inner_context.uc_link = &outer_context;
	makecontext(&inner_context, routine, 0);
	chain_now = &coroutine_chain;
	swapcontext(&outer_context, &inner_context);
}

static void run_rules_elsewhere(void)
{
	run_coroutine(run_rules);
}

static void run_nodes_elsewhere(void)
{
	run_coroutine(run_nodes);
}

static void run_hops_elsewhere(void)
{
	run_coroutine(run_hops);
}

static void run_borrowed_elsewhere(void)
{
	run_coroutine(run_borrowed_lying);
}

const struct chain_case chain_cases[] = {
	{ "rules_elsewhere", run_rules_elsewhere },
	{ "nodes_elsewhere", run_nodes_elsewhere },
	{ "hops_elsewhere", run_hops_elsewhere },
	{ "borrowed_elsewhere", run_borrowed_elsewhere },
	{ "rules", run_rules },
	{ "slow", run_slow },
	{ "nodes", run_nodes },
	{ "hops", run_hops },
	{ "hops_back", run_hops_back },
	{ "borrowed", run_borrowed },
	{ "borrowed_lying", run_borrowed_lying },
	{ 0 },
};
