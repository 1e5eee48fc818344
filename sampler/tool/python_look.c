/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for CPython; see python_look.h. */
#include "sampler/tool/python_look.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

#include "profile/core/writer.h"
#include "sampler/core/python.h"
#include "sampler/core/tool.h"
#include "sampler/python/python_layout.h"
#include "unwinder/core/loaded.h"

static uint64_t find(const char *name)
{
	return (uint64_t)dlsym(RTLD_DEFAULT, name);
}

/* The code of the function at `lo`. Returns its end, or 0. */
static uint64_t end_of(uint64_t lo)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!lo || !dladdr1((void *)lo, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
		return 0;
	return lo + symbol->st_size;
}

/* From 3.13 on _PyRuntime begins with a mark, a version and whether there are free threads. */
static int has_lock(uint64_t runtime, uint64_t version)
{
	return version < 0x030d0000 || ((const uint64_t *)(uintptr_t)runtime)[2] == 0;
}

/* Returns 0, or -1 if the interpreter is of a form that is not known. */
static int describe(struct python_interpreter *found, uint64_t version)
{
	struct loaded object;

	found->layout = python_layout_of(version);
	found->eval_lo = find("_PyEval_EvalFrameDefault");
	found->eval_hi = end_of(found->eval_lo);
	found->code_type = find("PyCode_Type");
	found->text_type = find("PyUnicode_Type");
	found->bytes_type = find("PyBytes_Type");
	if (!found->layout || !found->eval_hi || !found->code_type || !found->text_type ||
		!found->bytes_type || !has_lock(found->runtime, version) ||
		loaded_find(found->eval_lo, &object) != 0)
		return -1;
	found->lo = object.lo;
	found->hi = object.hi;
	found->read = python_read;
	return 0;
}

void python_look(void)
{
	static struct python_interpreter found;
	static const unsigned long *version; /* of the program, since 3.11 */
	static int is_looked_for;
	struct profile_header *header = writer_header();

	/* A child asks nothing: the loader can be at work in the thread that did not fork. */
	if (!is_looked_for) {
		is_looked_for = 1;
		version = (const unsigned long *)find("Py_Version");
		found.runtime = find("_PyRuntime");
		if (version && found.runtime && describe(&found, *version) == 0)
			__atomic_store_n(&tool.python, &found, __ATOMIC_RELEASE);
	}
	if (version)
		header->usage.python = (uint32_t)*version;
	if (found.runtime && !tool.python)
		header->flags |= PROFILE_PYTHON_UNREAD;
}
