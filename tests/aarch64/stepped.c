/* SPDX-License-Identifier: Apache-2.0 */
/* A library to preload into a program that steps.c single-steps; see steps.h. */
#include "tests/aarch64/steps.h"
#include "tests/walker/program.h"
#include "tests/walker/tables.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define STACK_BYTES (1 << 18)

static struct steps *steps;
static struct walk_path kept, fresh;

void stepped_back(void);
__asm__(".text\n"
	".type stepped_back, %function\n"
	".hidden stepped_back\n"
	".globl stepped_back\n"
	"stepped_back:\n"
	"	brk #0\n"
	".size stepped_back, .-stepped_back\n");

static void walk_by(const struct walker *walker, struct walk_path *path, struct steps_path *result)
{
	walker->walk(&steps->registers, &steps->bounds, UINT64_MAX, path);
	result->n = path->n;
	result->end = path->end;
	result->n_guessed = path->n_guessed;
	memcpy(result->frame, path->frame, path->n * sizeof(*path->frame));
}

static void walk(void)
{
	int saved_errno = errno;

	fresh.n = 0;
	walk_by(&walker_cfi, &fresh, &steps->path[STEPS_FRESH]);
	walk_by(&walker_cfi, &kept, &steps->path[STEPS_KEPT]);
	fresh.n = 0;
	walk_by(&walker_cfi_in_place, &fresh, &steps->path[STEPS_IN_PLACE]);
	errno = saved_errno;
}

/* Takes many instructions, which change the tables that they are walked with. */
static __attribute__((noinline)) void refresh(void)
{
	walker_cfi.refresh();
}

__attribute__((visibility("default"))) int walk_is_enough(void)
{
	refresh();
	return 1;
}

__attribute__((visibility("default"))) int walk_halvings(void)
{
	const char *value = getenv("STEPS_HALVINGS");

	refresh();
	return value ? atoi(value) : 8;
}

__attribute__((constructor)) static void prepare(void)
{
	const char *descriptor = getenv(STEPS_DESCRIPTOR);
	char *stack =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!descriptor)
		return;
	steps = mmap(NULL, sizeof(*steps), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(descriptor), 0);
	if (steps == MAP_FAILED || stack == MAP_FAILED || walker_cfi.init() != 0)
		abort();
	wait_for_tables();
	steps->entry = getauxval(AT_ENTRY);
	steps->walk = (uintptr_t)walk;
	steps->back = (uintptr_t)stepped_back;
	steps->skipped = (uintptr_t)refresh;
	steps->stack = (uintptr_t)stack + STACK_BYTES;
	walk_path_begin(&kept);
	walk_path_begin(&fresh);
	raise(SIGSTOP);
}
