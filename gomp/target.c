/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructs of devices (OpenMP 5.1, 4.5.2.26). The event is as long as the call. libgomp executes
 * the region on the host if there is no device. The body is not called through this library, since
 * libgomp finds the code of a device by the address of the body.
 */
#include <stddef.h>

#include "gomp/gomp.h"
#include "gomp/start.h"

/* Numbers in calls that mean the default device and the host. */
enum {
	DEFAULT_DEVICE = -1,
	HOST = -2,
};

/* The flags of the functions. */
enum {
	NOWAIT = 1,
	EXIT_DATA = 2,
};

struct target {
	struct gomp_task *task;
	ompt_target_t kind;
	int device;
	ompt_id_t id;
	ompt_data_t data;
	const void *caller;
};

static int device_of(const struct gomp_functions *next, int device)
{
	if (device == DEFAULT_DEVICE)
		return next->omp_get_default_device();
	return device < 0 ? next->omp_get_initial_device() : device;
}

/* A tool that has registered both is told by target_emi. */
static void tell(struct target *target, ompt_scope_endpoint_t endpoint)
{
	if (provider.callback[ompt_callback_target_emi])
		GOMP_TELL(target_emi, target->kind, endpoint, target->device, &target->task->data,
			NULL, &target->data, target->caller);
	else
		GOMP_TELL(target, target->kind, endpoint, target->device, &target->task->data,
			target->id, target->caller);
}

static struct target begin(struct gomp_task *task, const struct gomp_functions *next, int device,
	int kind, int is_nowait, const void *caller)
{
	return (struct target){
		.task = task,
		.kind = (ompt_target_t)(is_nowait ? kind + (ompt_target_nowait - ompt_target)
						  : kind),
		.device = device_of(next, device),
		.id = gomp_unique_id(),
		.caller = caller,
	};
}

/* Defines a function of libgomp for a construct of devices. */
#define TARGET(name, kind, is_nowait, parameters, arguments)                                       \
	GOMP_TELLING void tell_##name(                                                             \
		struct gomp_task *task, const void *caller, GOMP_UNPACK parameters)                \
	{                                                                                          \
		const struct gomp_functions *next = gomp_self.next;                                \
		struct target target = begin(task, next, device, kind, is_nowait, caller);         \
                                                                                                   \
		tell(&target, ompt_scope_begin);                                                   \
		next->name arguments;                                                              \
		tell(&target, ompt_scope_end);                                                     \
	}                                                                                          \
	void name parameters                                                                       \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name, arguments);                                           \
                                                                                                   \
		tell_##name(task, GOMP_CALLER, GOMP_UNPACK arguments);                             \
		GOMP_STAY();                                                                       \
	}

TARGET(GOMP_target_ext, ompt_target, flags &NOWAIT,
	(int device, void (*fn)(void *), size_t n, void **addresses, size_t *sizes,
		unsigned short *kinds, unsigned flags, void **depend, void **args),
	(device, fn, n, addresses, sizes, kinds, flags, depend, args))
TARGET(GOMP_target_data_ext, ompt_target_enter_data, 0,
	(int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds),
	(device, n, addresses, sizes, kinds))
TARGET(GOMP_target_update_ext, ompt_target_update, flags &NOWAIT,
	(int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds,
		unsigned flags, void **depend),
	(device, n, addresses, sizes, kinds, flags, depend))
TARGET(GOMP_target_enter_exit_data,
	flags &EXIT_DATA ? ompt_target_exit_data : ompt_target_enter_data, flags &NOWAIT,
	(int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds,
		unsigned flags, void **depend),
	(device, n, addresses, sizes, kinds, flags, depend))

GOMP_TELLING void tell_end_of_data(struct gomp_task *task, const void *caller)
{
	const struct gomp_functions *next = gomp_self.next;
	struct target target = begin(task, next, DEFAULT_DEVICE, ompt_target_exit_data, 0, caller);

	tell(&target, ompt_scope_begin);
	next->GOMP_target_end_data();
	tell(&target, ompt_scope_end);
}

/* The call does not say which device: the tool is told the default device. */
void GOMP_target_end_data(void)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_target_end_data, ());

	tell_end_of_data(task, GOMP_CALLER);
	GOMP_STAY();
}
