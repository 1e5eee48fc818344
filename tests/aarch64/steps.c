/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walker against the truth on AArch64: single-steps a program's first thread from its first
 * instruction, and keeps the calls that were made and have not returned, by what each instruction
 * is. At random instructions the thread calls the walker, which gets the registers of the
 * instruction, and the path must be the list of calls. It rests on no call frame information.
 *
 *   steps LIBRARY CHECKS EVERY PROGRAM [ARGUMENT...]
 *
 * A check each EVERY instructions in the mean; after CHECKS of them the program is killed.
 * LIBRARY is stepped.c's. Prints counts, and the first paths that differ.
 */
#include "tests/aarch64/steps.h"

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CALLS     2048
#define MAX_SHOWN     12
#define STACK_BYTES   (8 << 20)
#define SIGNAL_BYTES  1024 /* a signal's frame is larger */
#define BRK           0xd4200000
#define SVC           0xd4000001
#define SYS_SIGRETURN 139
#define PSTATE_BTYPE  0xc00
#define X30           30

/* Instructions; * is a register. */
#define IS_CALL(i)                                                                                 \
	(((i)&0xfc000000) == 0x94000000 || ((i)&0xfefff800) == 0xd63f0800 ||                       \
		((i)&0xfffffc1f) == 0xd63f0000)
#define IS_RETURN(i)    (((i)&0xfffffc1f) == 0xd65f0000 || ((i)&0xfffffbff) == 0xd65f0bff)
#define IS_JUMP(i)      (((i)&0xfffffc1f) == 0xd61f0000)
#define IS_ADD_TO_SP(i) (((i)&0xffe0ffff) == 0x8b2063ff)

struct call {
	uint64_t return_address; /* of a signal: the interrupted instruction */
	uint64_t cfa;            /* of a signal: the interrupted stack pointer */
	int is_signal;
};

static struct {
	pid_t pid;
	struct steps *steps;
	struct user_regs_struct now; /* of the instruction that comes next */
	uint32_t previous;           /* the instruction before the last one */
	struct call call[MAX_CALLS]; /* outermost first */
	uint32_t n_calls;
	int signal_to_send, signal_for_later;
	uint64_t random;
	long n_steps, n_checks, n_strange, n_shown;
	long n_exact[STEPS_N_VARIANTS], n_guessed[STEPS_N_VARIANTS], n_ended[STEPS_N_VARIANTS],
		n_wrong[STEPS_N_VARIANTS];
} run;

static const char *const variant_names[] = { "fresh", "kept", "in place" };

static void fail(const char *what)
{
	perror(what);
	if (run.pid > 0)
		kill(run.pid, SIGKILL);
	exit(1);
}

static void get_registers(struct user_regs_struct *registers)
{
	struct iovec all = { registers, sizeof(*registers) };

	if (ptrace(PTRACE_GETREGSET, run.pid, NT_PRSTATUS, &all) != 0)
		fail("registers");
}

static void set_registers(struct user_regs_struct *registers)
{
	struct iovec all = { registers, sizeof(*registers) };

	if (ptrace(PTRACE_SETREGSET, run.pid, NT_PRSTATUS, &all) != 0)
		fail("registers");
}

static uint32_t instruction_at(uint64_t address)
{
	long word = ptrace(PTRACE_PEEKTEXT, run.pid, address & ~7ull, NULL);

	return (uint32_t)((uint64_t)word >> (address & 4 ? 32 : 0));
}

/* Lets the thread go on and waits for its next stop. Returns the signal; 0 at its end. */
static int go(int request, int signal_number)
{
	int status;

	if (ptrace(request, run.pid, NULL, signal_number) != 0 ||
		waitpid(run.pid, &status, 0) != run.pid)
		fail("ptrace");
	return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

/* Goes on at full speed to an address. Signals of the program wait until then. */
static void run_to(uint64_t address)
{
	long word = ptrace(PTRACE_PEEKTEXT, run.pid, address & ~7ull, NULL);
	unsigned int shift = address & 4 ? 32 : 0;
	uint64_t with_brk = ((uint64_t)word & ~(0xffffffffull << shift)) | (uint64_t)BRK << shift;
	int signal_number;

	if (ptrace(PTRACE_POKETEXT, run.pid, address & ~7ull, with_brk) != 0)
		fail("breakpoint");
	while ((signal_number = go(PTRACE_CONT, 0)) != SIGTRAP) {
		if (signal_number == 0)
			fail("the program ended");
		run.signal_for_later = signal_number;
	}
	ptrace(PTRACE_POKETEXT, run.pid, address & ~7ull, word);
	get_registers(&run.now);
	if (run.now.pc != address)
		fail("a trap elsewhere");
}

static void push(uint64_t return_address, uint64_t cfa, int is_signal)
{
	if (run.n_calls == MAX_CALLS)
		fail("too many calls");
	run.call[run.n_calls++] = (struct call){
		.return_address = return_address, .cfa = cfa, .is_signal = is_signal
	};
}

/* A return, or a jump as longjmp's, to where a call came from: it takes away that call. */
static int leave_call(uint32_t instruction, const struct user_regs_struct *new)
{
	for (uint32_t i = run.n_calls; i > 0 && run.call[i - 1].cfa <= new->sp; i--) {
		const struct call *call = &run.call[i - 1];

		if (call->return_address != new->pc || call->cfa != new->sp || call->is_signal)
			continue;
		if (IS_RETURN(instruction) && i != run.n_calls)
			run.n_strange++;
		run.n_calls = i - 1;
		return 1;
	}
	return 0;
}

/* Takes away the frames that the stack pointer has passed, on one stack. */
static void pop_passed(const struct user_regs_struct *old, uint64_t sp)
{
	if (sp < old->sp || sp - old->sp > STACK_BYTES)
		return;
	while (run.n_calls > 0 && run.call[run.n_calls - 1].cfa < sp &&
		run.call[run.n_calls - 1].cfa >= old->sp)
		run.n_calls--;
}

static void follow(const struct user_regs_struct *old, uint32_t instruction)
{
	const struct user_regs_struct *new = &run.now;
	int is_installed = IS_ADD_TO_SP(run.previous);

	run.previous = instruction;
	if (instruction == SVC && old->regs[8] == SYS_SIGRETURN) {
		while (run.n_calls > 0 && !run.call[--run.n_calls].is_signal)
			;
		return;
	}
	if (IS_CALL(instruction)) {
		push(old->pc + 4, new->sp, 0);
		return;
	}
	if ((IS_RETURN(instruction) || IS_JUMP(instruction)) && leave_call(instruction, new))
		return;
	pop_passed(old, new->sp);
	/* An exception's frame is installed: what it had called is gone. */
	if (is_installed && (IS_RETURN(instruction) || IS_JUMP(instruction))) {
		while (run.n_calls > 0 && run.call[run.n_calls - 1].cfa <= new->sp)
			run.n_calls--;
	} else if (IS_RETURN(instruction)) {
		run.n_strange++;
	}
}

/* The thread stands at the first instruction of a signal's handler. */
static void enter_handler(const struct user_regs_struct *old)
{
	push(old->pc, old->sp, 1);
	push(run.now.regs[X30], run.now.sp, 0);
	run.previous = 0;
}

/* Executes an instruction. Returns 0 at the program's end. */
static int step(void)
{
	struct user_regs_struct old = run.now;
	uint32_t instruction = instruction_at(old.pc);
	int sent = run.signal_to_send, signal_number = go(PTRACE_SINGLESTEP, sent);

	run.signal_to_send = 0;
	if (signal_number == 0)
		return 0;
	get_registers(&run.now);
	if (sent && run.now.regs[0] == (uint64_t)sent && run.now.pc != old.pc + 4 &&
		old.sp - run.now.sp != 0 && run.now.regs[X30] != old.regs[X30])
		enter_handler(&old);
	else if (signal_number == SIGTRAP)
		follow(&old, instruction);
	if (signal_number != SIGTRAP)
		run.signal_to_send = signal_number;
	run.n_steps++;
	return 1;
}

/* xorshift64*, Vigna 2016; from 0 to n - 1. */
static uint64_t random_below(uint64_t n)
{
	run.random ^= run.random >> 12;
	run.random ^= run.random << 25;
	run.random ^= run.random >> 27;
	return (run.random * 0x2545f4914f6cdd1d >> 11) % n;
}

/* Frame i of the true path; the CFA of the outermost is not known: 0. */
static struct walk_frame true_frame(uint32_t i)
{
	struct walk_frame frame = { .ip = run.now.pc, .how = WALK_EXACT };
	const struct call *above = i > 0 ? &run.call[run.n_calls - i] : NULL;

	if (above) {
		frame.ip = above->return_address;
		frame.how = above->is_signal ? WALK_EXACT : WALK_CALL;
	}
	if (i < run.n_calls)
		frame.cfa = run.call[run.n_calls - 1 - i].cfa;
	return frame;
}

/* The object that an address of the program is in, and the offset in its file. */
static void print_place(uint64_t address)
{
	unsigned long long lo, hi, offset;
	char line[512], path[256], maps[32];
	FILE *file;

	snprintf(maps, sizeof(maps), "/proc/%d/maps", (int)run.pid);
	file = fopen(maps, "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %255s", &lo, &hi, &offset, path) ==
				4 &&
			address >= lo && address < hi)
			printf("  %s+%#llx", path, address - lo + offset);
	if (file)
		fclose(file);
}

static void show(
	const struct steps_path *path, const char *what, enum steps_variant variant, uint32_t at)
{
	if (run.n_shown++ >= MAX_SHOWN)
		return;
	printf("at %#llx %s, %s: frame %u, end %u\n", run.now.pc, variant_names[variant], what, at,
		path->end);
	for (uint32_t i = 0; i < path->n || i <= run.n_calls; i++) {
		struct walk_frame truth =
			i <= run.n_calls ? true_frame(i) : (struct walk_frame){ 0 };
		const struct walk_frame *frame = &path->frame[i];

		printf("  %#llx cfa %#llx", (unsigned long long)truth.ip,
			(unsigned long long)truth.cfa);
		if (i < path->n)
			printf("   walk %#llx cfa %#llx how %u", (unsigned long long)frame->ip,
				(unsigned long long)frame->cfa, frame->how);
		print_place(truth.ip);
		printf("\n");
	}
}

static void judge(enum steps_variant variant)
{
	const struct steps_path *path = &run.steps->path[variant];
	uint32_t at = 0, n = run.n_calls + 1;

	for (; at < path->n && at < n; at++) {
		struct walk_frame truth = true_frame(at);
		const struct walk_frame *frame = &path->frame[at];

		if (frame->ip != truth.ip ||
			(frame->how != truth.how && frame->how != WALK_GUESS) ||
			(truth.cfa && frame->cfa && frame->cfa != truth.cfa))
			break;
	}
	if (at == path->n && at == n && path->end == WALK_COMPLETE) {
		(path->n_guessed ? run.n_guessed : run.n_exact)[variant]++;
		return;
	}
	if (at == path->n && path->end != WALK_COMPLETE)
		run.n_ended[variant]++;
	else
		run.n_wrong[variant]++;
	show(path, at == path->n ? "ended" : "wrong", variant, at);
}

static void check(void)
{
	struct user_regs_struct saved = run.now, call = run.now;
	struct user_fpsimd_struct vectors;
	struct iovec all = { &vectors, sizeof(vectors) };
	struct walk_registers *registers = &run.steps->registers;

	memcpy(registers->reg, saved.regs, sizeof(saved.regs));
	registers->reg[WALK_SP] = saved.sp;
	registers->reg[WALK_IP] = saved.pc;
	registers->known = WALK_BIT(WALK_N_REGISTERS) - 1;
	registers->is_return = 0;
	if (ptrace(PTRACE_GETREGSET, run.pid, NT_FPREGSET, &all) != 0)
		fail("vector registers");
	call.pc = run.steps->walk;
	call.sp = run.steps->stack;
	call.regs[X30] = run.steps->back;
	call.pstate &= ~(uint64_t)PSTATE_BTYPE;
	set_registers(&call);
	run_to(run.steps->back);
	set_registers(&saved);
	run.now = saved;
	if (ptrace(PTRACE_SETREGSET, run.pid, NT_FPREGSET, &all) != 0)
		fail("vector registers");
	run.n_checks++;
	for (int v = 0; v < STEPS_N_VARIANTS; v++)
		judge((enum steps_variant)v);
}

/* The program waits in the library, before its first instruction. */
static void start(const char *library, char **command)
{
	int descriptor = memfd_create("steps", 0), status;
	char text[16];

	if (descriptor < 0 || ftruncate(descriptor, sizeof(*run.steps)) != 0)
		fail("memory");
	run.steps =
		mmap(NULL, sizeof(*run.steps), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	run.pid = fork();
	if (run.pid == 0) {
		snprintf(text, sizeof(text), "%d", descriptor);
		setenv(STEPS_DESCRIPTOR, text, 1);
		setenv("LD_PRELOAD", library, 1);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(command[0], command);
		_exit(127);
	}
	if (run.steps == MAP_FAILED || run.pid < 0 || waitpid(run.pid, &status, 0) != run.pid)
		fail("start");
	while ((status = go(PTRACE_CONT, 0)) != SIGSTOP)
		if (status == 0)
			fail("the library does not start");
	ptrace(PTRACE_SETOPTIONS, run.pid, NULL, PTRACE_O_EXITKILL);
	run_to(run.steps->entry);
	run.steps->bounds =
		(struct walk_bounds){ .lo = run.now.sp - STACK_BYTES, .hi = run.now.sp + 4096 };
}

int main(int argc, char **argv)
{
	long wanted = argc > 4 ? atol(argv[2]) : 0;
	uint64_t every = argc > 4 ? strtoul(argv[3], NULL, 10) : 1, until = 1;

	if (argc <= 4)
		return 2;
	run.random = 0x9e3779b97f4a7c15;
	start(argv[1], argv + 4);
	while (run.n_checks < wanted && step()) {
		if (run.now.pc == run.steps->skipped) {
			run_to(run.now.regs[X30]);
			leave_call(0, &run.now);
		}
		if (run.signal_for_later && !run.signal_to_send) {
			run.signal_to_send = run.signal_for_later;
			run.signal_for_later = 0;
		}
		if (--until == 0) {
			until = 1 + random_below(2 * every - 1);
			check();
		}
	}
	kill(run.pid, SIGKILL);
	printf("steps %ld\nchecks %ld\nstrange %ld\n", run.n_steps, run.n_checks, run.n_strange);
	for (int v = 0; v < STEPS_N_VARIANTS; v++)
		printf("%s: exact %ld guessed %ld ended %ld wrong %ld\n", variant_names[v],
			run.n_exact[v], run.n_guessed[v], run.n_ended[v], run.n_wrong[v]);
	return 0;
}
