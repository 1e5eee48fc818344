/* SPDX-License-Identifier: Apache-2.0 */
/* The dependences of a task, as GOMP_task gets them (OpenMP 5.1, 4.5.2.8). */
#include "gomp/depend.h"

#include <stdlib.h>

enum { STACK_DEPENDENCES = 32 };

/*
 * An array of addresses. Its first words say how many there are of each type. The form for `out`
 * and `in` alone: the number, the number of `out`. The form for all types, since GCC 9: 0, the
 * number, the numbers of `out`, `mutexinoutset` and `in`; the other addresses are of objects that
 * hold an address and a type.
 */
struct depend {
	void **addresses;
	size_t n, n_out, n_mutexinoutset, n_in;
};

static struct depend read_depend(void **depend)
{
	const uintptr_t *numbers = (const uintptr_t *)depend;

	if (numbers[0])
		return (struct depend){ depend + 2, numbers[0], numbers[1], 0,
			numbers[0] - numbers[1] };
	return (struct depend){ depend + 5, numbers[1], numbers[2], numbers[3], numbers[4] };
}

/* The type in a depobj: libgomp's numbers are OMPT's, but for inoutset. */
static ompt_dependence_type_t type_of(uintptr_t type)
{
	enum { INOUTSET = 5 };

	return type == INOUTSET ? ompt_dependence_type_inoutset : (ompt_dependence_type_t)type;
}

static ompt_dependence_t dependence(const struct depend *depend, size_t i)
{
	ompt_dependence_t dependence = { .variable.ptr = depend->addresses[i] };
	size_t end_of_out = depend->n_out;
	size_t end_of_mutexinoutset = end_of_out + depend->n_mutexinoutset;

	if (i < end_of_out) {
		dependence.dependence_type = ompt_dependence_type_inout;
	} else if (i < end_of_mutexinoutset) {
		dependence.dependence_type = ompt_dependence_type_mutexinoutset;
	} else if (i < end_of_mutexinoutset + depend->n_in) {
		dependence.dependence_type = ompt_dependence_type_in;
	} else {
		void **object = depend->addresses[i];

		dependence.variable.ptr = object[0];
		dependence.dependence_type = type_of((uintptr_t)object[1]);
	}
	return dependence;
}

void gomp_tell_dependences(struct gomp_task *task, void **addresses)
{
	struct depend depend = read_depend(addresses);
	ompt_dependence_t on_stack[STACK_DEPENDENCES], *dependences = on_stack;

	if (depend.n == 0 || !provider.callback[ompt_callback_dependences])
		return;
	if (depend.n > STACK_DEPENDENCES)
		dependences = malloc(depend.n * sizeof(*dependences));
	if (!dependences)
		return;
	for (size_t i = 0; i < depend.n; i++)
		dependences[i] = dependence(&depend, i);
	GOMP_TELL(dependences, &task->data, dependences, (int)depend.n);
	if (dependences != on_stack)
		free(dependences);
}
