/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the instruction that has called. */
#include "gomp/caller.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gomp/extent.h"

/* Where the linker puts the library's begin and end. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

int gomp_is_own_code(const void *address)
{
	return (uintptr_t)address - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start);
}

#ifdef __x86_64__

static int is_in_module_of(const void *address, const void *other)
{
	struct extent extent;

	return gomp_find_extent(other, &extent) == 0 &&
	       (uintptr_t)address - extent.lo < extent.hi - extent.lo;
}

/* The address that is `after` plus the 32 bits before it. */
static const uint8_t *relative(const uint8_t *after)
{
	int32_t offset;

	memcpy(&offset, after - sizeof(offset), sizeof(offset));
	return after + offset;
}

/* The slot through which the code jumps if it is an entry of a procedure linkage table; or NULL. */
static void *const *slot_of(const uint8_t *code)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	if (memcmp(code, endbr64, sizeof(endbr64)) == 0)
		code += sizeof(endbr64);
	if (*code == 0xf2) /* bnd */
		code++;
	return code[0] == 0xff && code[1] == 0x25 ? (void *const *)relative(code + 6) : NULL;
}

/* The function that was called, and has either called this library or is this library's. */
static const void *called_function(const uint8_t *after)
{
	void *const *slot;
	const uint8_t *code;

	if (after[-5] == 0xe8) { /* call code */
		code = relative(after);
		if (!is_in_module_of(code, after))
			return NULL;
		slot = slot_of(code);
		return slot ? *slot : code;
	}
	if (after[-6] == 0xff && after[-5] == 0x15) { /* call *slot */
		slot = (void *const *)relative(after);
		return is_in_module_of(slot, after) ? *slot : NULL;
	}
	return NULL;
}

const void *gomp_calling_code(const void *caller)
{
	enum { PAGE = 4096, CALL_BYTES = 6 };
	const void *function;

	/* The page before may not be readable, if it is not the same module's. */
	if ((uintptr_t)caller % PAGE < CALL_BYTES &&
		!is_in_module_of((const char *)caller - CALL_BYTES, caller))
		return NULL;
	function = called_function(caller);
	return function && gomp_is_own_code(function) ? caller : function;
}

#else

const void *gomp_calling_code(const void *caller)
{
	return gomp_is_own_code(caller) ? NULL : caller;
}

#endif
