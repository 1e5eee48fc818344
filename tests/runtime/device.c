/* SPDX-License-Identifier: Apache-2.0 */
/* The scripted device; see device.h. */
#include "tests/runtime/device.h"

#include <stddef.h>

int scripted_device;

ompt_interface_fn_t device_lookup(const char *name)
{
	return NULL;
}
