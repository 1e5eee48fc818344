/* SPDX-License-Identifier: Apache-2.0 */
/* The versions of CPython that are known; see python_layout.h. Part of the signal-safe core. */
#include "sampler/python/python_layout.h"

#include <stddef.h>

/* The fields of objects that have not changed since 3.11. */
#define STATE(thread_id, top)                                                                      \
	{                                                                                          \
		0, 8, 16, thread_id, top                                                           \
	}

static const struct python_layout layouts[] = {
	{
		.version = 0x030b,
		.runtime = { 48, 16 },
		.state = STATE(152, 56),
		.cframe = { 1, 8, 16 },
		.frame = { 32, 48, 56, 69, 68 },
		.code = { 72, 112, 128, 136, 168, 184, 0 },
		.text = { 48, 72 },
	},
	{
		.version = 0x030c,
		.runtime = { 48, 72 },
		.state = STATE(136, 56),
		.cframe = { 1, 0, 8 },
		.frame = { 0, 8, 56, 70, 0 },
		.code = { 68, 112, 128, 136, 176, 192, 92 },
		.text = { 40, 56 },
	},
	{
		.version = 0x030d,
		.runtime = { 640, 7344 },
		.state = STATE(152, 72),
		.frame = { 0, 8, 56, 70, 0 },
		.code = { 68, 112, 128, 136, 184, 200, 92 },
		.text = { 40, 56 },
	},
};

const struct python_layout *python_layout_of(uint64_t version)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].version == version >> 16)
			return &layouts[i];
	return NULL;
}
