/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to preload: every thread of a program steps by the processor's trap flag, from before
 * its constructors until it exits. The trap handler keeps a shadow stack (shadow.h) and, at random
 * instructions, compares walker_cfi with it (judge.h): without memory, with the memory of the
 * thread's last walk or of one some time ago, with that and a place to stop at, and without tables.
 *
 * Settings: WALK_TRUTH_OUT, the file for the counts; WALK_TRUTH_CHECKS, after how many checks the
 * program may end; WALK_TRUTH_EVERY, instructions from check to check in the mean;
 * WALK_TRUTH_HALVINGS, see program.h; WALK_TRUTH_SEED; WALK_TRUTH_REFRESH=1, to step through the
 * walker's own preparations, too; WALK_TRUTH_FIRST, a function to be called before, without
 * stepping: a runtime's long start.
 *
 * The trap flag is set in the saved registers of each trap. A new thread inherits it. The kernel
 * clears it when it calls a signal's handler: all handlers are replaced by one that begins with
 * int3. SIGTRAP must never be blocked, so system calls that would block it are changed.
 */
#include "tests/walker/judge.h"
#include "tests/walker/program.h"
#include "tests/walker/shadow.h"
#include "tests/walker/sightings.h"
#include "tests/walker/tables.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unwind.h>

#define TRAP_FLAG     0x100
#define SYSCALL_BYTES 2
#define CAP_SECONDS   600

/* The least size of a new thread's stack, whose bounds are not known at its first instruction. */
#define THREAD_STACK_BYTES (1 << 20)

/* As the kernel wants it. */
struct kernel_action {
	uint64_t handler;
	uint64_t flags;
	uint64_t restorer;
	uint64_t mask;
};

enum variant {
	FRESH,    /* the path is empty before the walk */
	KEPT,     /* the path is that of the last walk */
	STOPPED,  /* likewise, and the walk has to stop at a frame */
	DISTANT,  /* the path is that of a walk some time ago */
	IN_PLACE, /* by the walker without tables */
	N_VARIANTS,
};

static const char *const variant_names[N_VARIANTS] = { "fresh", "kept", "stopped", "distant",
	"in-place" };

/* In the mean, so many checks have one by the walker without tables, and one from a distant path. */
#define IN_PLACE_EVERY 4
#define DISTANT_EVERY  32

struct thread {
	struct walk_bounds bounds;
	uint64_t random;
	uint64_t until_check; /* instructions */
	volatile int is_paused;
	struct shadow_path truth;
	struct walk_path fresh, kept, distant;
	struct walk_frame last[WALK_STORE_FRAMES]; /* the store of a path before the walk */
	struct shadow shadow;
};

static struct {
	atomic_int is_over;
	atomic_long n_instructions, n_checks, n_frames, n_strange, n_threads, n_misremembered;
	atomic_long n[N_VARIANTS][JUDGE_N_VERDICTS];
	atomic_long n_causes[N_VARIANTS][JUDGE_N_CAUSES];
	long wanted, every, halvings, seed, is_refresh_stepped;
	time_t deadline;
	uint64_t handler[_NSIG]; /* the program's own */
} truth;

static _Thread_local struct thread *self __attribute__((tls_model("initial-exec")));

/* The handler of all signals but SIGTRAP: on_trap goes on in the program's own. */
void truth_handler(void);
__asm__(".text\n"
	".type truth_handler, @function\n"
	".hidden truth_handler\n"
	".globl truth_handler\n"
	"truth_handler:\n"
	"	.cfi_startproc\n"
	"	int3\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size truth_handler, .-truth_handler\n");

static struct thread *thread_new(struct walk_bounds bounds)
{
	struct thread *thread = mmap(
		NULL, sizeof(*thread), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (thread == MAP_FAILED)
		return NULL;
	thread->bounds = bounds;
	thread->random = (uint64_t)truth.seed * 0x9e3779b97f4a7c15 +
			 (uint64_t)atomic_fetch_add(&truth.n_threads, 1) + 1;
	thread->until_check = 1;
	return thread;
}

/* xorshift64*, Vigna 2016; from 0 to n - 1. */
static uint64_t random_below(struct thread *thread, uint64_t n)
{
	thread->random ^= thread->random >> 12;
	thread->random ^= thread->random << 25;
	thread->random ^= thread->random >> 27;
	return (thread->random * 0x2545f4914f6cdd1d >> 11) % n;
}

static int is_same_frame(const struct walk_frame *a, const struct walk_frame *b)
{
	return a->ip == b->ip && a->cfa == b->cfa;
}

/* Whether the frames that the walker says it has kept, and those behind them, are where they were. */
static int is_kept_right(const struct thread *thread, const struct walk_path *path)
{
	size_t first = (size_t)(path->frame - path->store) + path->n - path->n_kept;

	if (path->n_kept > path->n)
		return 0;
	for (size_t i = first; path->n_kept > 0 && i < WALK_STORE_FRAMES; i++)
		if (!is_same_frame(&thread->last[i], &path->store[i]))
			return 0;
	return 1;
}

static void count(
	const struct walk_path *path, const struct judge_wanted *wanted, enum variant variant)
{
	struct judgement judgement = judge(path, wanted);

	atomic_fetch_add(&truth.n[variant][judgement.verdict], 1);
	if (judgement.verdict == JUDGE_EXACT)
		return;
	atomic_fetch_add(&truth.n_causes[variant][judgement.cause], 1);
	sighting_note(path, wanted->truth, &judgement, variant_names[variant]);
}

static void check_fresh(struct thread *thread, const struct judge_wanted *wanted)
{
	thread->fresh.n = 0;
	walker_cfi.walk(wanted->registers, &thread->bounds, UINT64_MAX, &thread->fresh);
	count(&thread->fresh, wanted, FRESH);
	if (random_below(thread, IN_PLACE_EVERY) != 0)
		return;
	thread->fresh.n = 0;
	walker_cfi_in_place.walk(wanted->registers, &thread->bounds, UINT64_MAX, &thread->fresh);
	count(&thread->fresh, wanted, IN_PLACE);
}

static void check_remembered(struct thread *thread, const struct judge_wanted *wanted,
	uint64_t stop_cfa, struct walk_path *path, enum variant variant)
{
	memcpy(thread->last, path->store, sizeof(thread->last));
	walker_cfi.walk(wanted->registers, &thread->bounds, stop_cfa, path);
	count(path, wanted, variant);
	if (!is_kept_right(thread, path))
		atomic_fetch_add(&truth.n_misremembered, 1);
}

/* Walks with the memory of others; at times with a random frame of the truth to stop at. */
static void check_kept(struct thread *thread, struct judge_wanted *wanted)
{
	uint32_t stop = (uint32_t)random_below(thread, 4ull * wanted->n);

	if (random_below(thread, DISTANT_EVERY) == 0)
		check_remembered(thread, wanted, UINT64_MAX, &thread->distant, DISTANT);
	if (stop + 1 >= wanted->n || thread->truth.is_on_alternate) {
		check_remembered(thread, wanted, UINT64_MAX, &thread->kept, KEPT);
		return;
	}
	wanted->n = stop + 1;
	wanted->end = WALK_COMPLETE;
	check_remembered(thread, wanted, thread->truth.frame[stop].cfa - 1, &thread->kept, STOPPED);
}

static void check(struct thread *thread, const ucontext_t *context)
{
	struct walk_registers registers;
	struct judge_wanted wanted = {
		.truth = &thread->truth,
		.registers = &registers,
		.bounds = &thread->bounds,
	};

	walk_registers_from_ucontext(&registers, context);
	shadow_list(&thread->shadow, registers.reg[WALK_IP], &thread->truth);
	wanted.n = thread->truth.n;
	if (wanted.n > WALK_MAX_FRAMES)
		wanted.n = WALK_MAX_FRAMES;
	wanted.end = wanted.n < thread->truth.n ? WALK_LIMIT : WALK_COMPLETE;
	atomic_fetch_add(&truth.n_checks, 1);
	atomic_fetch_add(&truth.n_frames, thread->truth.n);

	check_fresh(thread, &wanted);
	check_kept(thread, &wanted);
}

/* Done here instead, but for SIGTRAP: the mask is set when the trap handler returns. */
static void do_sigprocmask(ucontext_t *context)
{
	greg_t *gregs = context->uc_mcontext.gregs;
	const uint64_t *new = (const uint64_t *)(uintptr_t)gregs[REG_RSI];
	uint64_t *old = (uint64_t *)(uintptr_t)gregs[REG_RDX];
	uint64_t *mask = (uint64_t *)&context->uc_sigmask;
	uint64_t was = *mask;

	if (new &&gregs[REG_RDI] == SIG_BLOCK)
		*mask |= *new;
	else if (new &&gregs[REG_RDI] == SIG_UNBLOCK)
		*mask &= ~*new;
	else if (new)
		*mask = *new;
	*mask &= ~(1ull << (SIGTRAP - 1));
	if (old)
		*old = was;
	gregs[REG_RAX] = 0;
	gregs[REG_RIP] += SYSCALL_BYTES;
}

/* The C library passes a copy: it can be changed. */
static void change_sigaction(const greg_t *gregs)
{
	struct kernel_action *action = (struct kernel_action *)(uintptr_t)gregs[REG_RSI];
	int signal_number = (int)gregs[REG_RDI];

	if (!action || signal_number <= 0 || signal_number >= _NSIG || signal_number == SIGTRAP)
		return;
	action->mask &= ~(1ull << (SIGTRAP - 1));
	if (action->handler <= (uint64_t)(uintptr_t)SIG_IGN ||
		action->handler == (uint64_t)(uintptr_t)truth_handler)
		return;
	truth.handler[signal_number] = action->handler;
	action->handler = (uint64_t)(uintptr_t)truth_handler;
}

/*
 * Looks at the instruction that is executed next. No trap follows a system call, only the
 * instruction after it; so that is the one whose effect the next trap shows.
 */
static void look_ahead(struct thread *thread, ucontext_t *context)
{
	greg_t *gregs = context->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)(uintptr_t)gregs[REG_RIP];

	if (code[0] != 0x0f || code[1] != 0x05)
		return;
	thread->shadow.previous_ip += SYSCALL_BYTES;
	if (gregs[REG_RAX] == SYS_rt_sigprocmask)
		do_sigprocmask(context);
	else if (gregs[REG_RAX] == SYS_rt_sigaction)
		change_sigaction(gregs);
	else if (gregs[REG_RAX] == SYS_rt_sigreturn)
		shadow_leave_signal(&thread->shadow, (const ucontext_t *)(uintptr_t)gregs[REG_RSP]);
}

/* A thread that was created by one that steps: it stands after its first instruction. */
static struct thread *adopt(const ucontext_t *context)
{
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];

	return thread_new((struct walk_bounds){
		.lo = sp - THREAD_STACK_BYTES, .hi = (uintptr_t)pthread_self() });
}

static void on_step(ucontext_t *context, int is_handler)
{
	greg_t *gregs = context->uc_mcontext.gregs;

	if (is_handler)
		shadow_enter_signal(&self->shadow, gregs);
	else
		shadow_follow(&self->shadow, gregs);
	atomic_fetch_add(&truth.n_instructions, 1);
	if (--self->until_check == 0) {
		self->until_check = 1 + random_below(self, 2 * (uint64_t)truth.every - 1);
		check(self, context);
	}
	if (self->shadow.n_strange) {
		atomic_fetch_add(&truth.n_strange, self->shadow.n_strange);
		self->shadow.n_strange = 0;
	}
	look_ahead(self, context);
}

static void on_trap(int signal_number, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;
	greg_t *gregs = context->uc_mcontext.gregs;
	int is_handler = gregs[REG_RIP] == (greg_t)(uintptr_t)truth_handler + 1;
	int saved_errno = errno;

	(void)signal_number;
	(void)info;
	if (is_handler)
		gregs[REG_RIP] = (greg_t)truth.handler[gregs[REG_RDI]];
	if (!self && !truth.is_over)
		self = adopt(context);
	if (truth.is_over || !self || self->is_paused) {
		gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	} else {
		gregs[REG_EFL] |= TRAP_FLAG;
		on_step(context, is_handler);
	}
	errno = saved_errno;
}

/*
 * Lets the walker look for new objects. That takes many instructions, which change the tables that
 * they are walked with. They are stepped only with WALK_TRUTH_REFRESH.
 */
static void refresh(void)
{
	struct thread *thread = truth.is_over ? NULL : self;

	if (thread && !truth.is_refresh_stepped) {
		thread->shadow.previous_ip = 0;
		thread->is_paused = 1;
	}
	walker_cfi.refresh();
	if (thread && thread->is_paused) {
		thread->is_paused = 0;
		__asm__ volatile("int3" : : : "memory");
	}
}

__attribute__((visibility("default"))) int walk_is_enough(void)
{
	refresh();
	return truth.n_checks >= truth.wanted || time(NULL) >= truth.deadline;
}

__attribute__((visibility("default"))) int walk_halvings(void)
{
	refresh();
	return (int)truth.halvings;
}

static long setting(const char *name, long otherwise)
{
	const char *value = getenv(name);

	return value ? atol(value) : otherwise;
}

__attribute__((constructor)) static void prepare(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	truth.wanted = setting("WALK_TRUTH_CHECKS", 1);
	truth.every = setting("WALK_TRUTH_EVERY", 4);
	truth.halvings = setting("WALK_TRUTH_HALVINGS", 6);
	truth.is_refresh_stepped = setting("WALK_TRUTH_REFRESH", 0);
	truth.seed = setting("WALK_TRUTH_SEED", 1);
	truth.deadline = time(NULL) + CAP_SECONDS;
	judge_init();
	if (walker_cfi.init() != 0)
		abort();
	wait_for_tables();
	sigfillset(&action.sa_mask);
	sigaction(SIGTRAP, &action, NULL);
}

struct seeds {
	uint32_t n;
	uint64_t slot[SHADOW_MAX_CALLS], ip[SHADOW_MAX_CALLS];
};

/* libgcc gives the stack pointer with which a frame goes on when its callee has returned. */
static _Unwind_Reason_Code add_seed(struct _Unwind_Context *frame, void *argument)
{
	struct seeds *seeds = argument;

	if (_Unwind_GetIP(frame) != 0 && seeds->n < SHADOW_MAX_CALLS) {
		seeds->slot[seeds->n] = _Unwind_GetCFA(frame) - 8;
		seeds->ip[seeds->n++] = _Unwind_GetIP(frame);
	}
	return _URC_NO_REASON;
}

/* From here on the calling thread steps. The calls that it is in are taken from libgcc. */
static __attribute__((noinline)) void start_stepping(void)
{
	static struct seeds seeds;
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		abort();
	pthread_attr_getstack(&attributes, &lo, &size);
	pthread_attr_destroy(&attributes);
	self = thread_new((struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size });
	if (!self)
		abort();
	_Unwind_Backtrace(add_seed, &seeds);
	/* Not the innermost, this function's call of libgcc, which has returned. */
	for (uint32_t i = seeds.n; i > 1; i--)
		shadow_seed(&self->shadow, seeds.slot[i - 1], seeds.ip[i - 1]);
	__asm__ volatile("int3" : : : "memory");
}

/* In place of the C library's, which runs the program's constructors and main. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
__attribute__((visibility("default"))) int __libc_start_main(int (*main)(int, char **, char **),
	int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
	void *stack_end)
{
	int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
		void (*)(void), void *);
	const char *name = getenv("WALK_TRUTH_FIRST");
	void (*before)(void);

	*(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
	*(void **)&before = name ? dlsym(RTLD_DEFAULT, name) : NULL;
	if (before)
		before();
	start_stepping();
	return real(main, argc, argv, init, fini, rtld_fini, stack_end);
}

static void print_counts(FILE *out)
{
	fprintf(out, "instructions %ld\nchecks %ld\nframes %ld\nthreads %ld\nstrange %ld\n",
		truth.n_instructions, truth.n_checks, truth.n_frames, truth.n_threads,
		truth.n_strange);
	fprintf(out, "misremembered %ld\n", truth.n_misremembered);
	for (int v = 0; v < N_VARIANTS; v++) {
		for (int i = 0; i < JUDGE_N_VERDICTS; i++)
			fprintf(out, "%s-%s %ld\n", variant_names[v], judge_verdict_names[i],
				truth.n[v][i]);
		for (int i = 0; i < JUDGE_N_CAUSES; i++)
			fprintf(out, "%s-cause-%s %ld\n", variant_names[v], judge_cause_names[i],
				truth.n_causes[v][i]);
	}
}

__attribute__((destructor)) static void finish(void)
{
	const char *name = getenv("WALK_TRUTH_OUT");
	FILE *out;

	truth.is_over = 1;
	out = name ? fopen(name, "w") : stderr;
	if (!out)
		return;
	print_counts(out);
	sightings_print(out);
	if (name)
		fclose(out);
}
