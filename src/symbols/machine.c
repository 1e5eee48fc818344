/* SPDX-License-Identifier: Apache-2.0 */
/* The list of machines; see machine.h. configure makes the list from unwinder/arch.mk. */
#include "src/symbols/machine.h"

#include <config.h>

#define MACHINE(name) extern const struct machine machine_##name;
OMPPROF_MACHINES
#undef MACHINE

#define MACHINE(name) &machine_##name,
static const struct machine *const machines[] = { OMPPROF_MACHINES };
#undef MACHINE

const struct machine *const machine_host = &OMPPROF_HOST_MACHINE;

const struct machine *machine_find(uint16_t elf)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (machines[i]->elf == elf)
			return machines[i];
	}
	return NULL;
}
