/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which libgomp a module's calls go to. A process can have several: Python's wheels bring their
 * own. The loader binds a module to the first definition among the objects that were loaded with
 * the program, then among the module's own libraries. Without this library, the same libgomp would
 * be found. Each libgomp has a table of its functions, and each module is looked up once.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "gomp/gomp.h"
#include "gomp/start.h"
#include "gomp/version.h"

enum {
	MAX_LIBGOMPS = 16,
	MAX_MODULES = 128,
};

struct module {
	uintptr_t start;
	uintptr_t bytes;
	const struct gomp_functions *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct module modules[MAX_MODULES];
static uint32_t n_modules; /* grows after the module is complete */
static struct gomp_functions functions[MAX_LIBGOMPS];
static uint32_t n_functions;

static void *find_version(void *handle, const char *name, const char *version)
{
	void *function = dlvsym(handle, name, version);

	return function ? function : dlsym(handle, name);
}

/* Fills the table from the libgomp that `handle` is of. */
static void fill(struct gomp_functions *table, void *handle)
{
#define FUNCTION(returns, name, parameters)                                                        \
	table->name = (__typeof__(table->name))dlsym(handle, #name);
#define VERSION_OMP_1_0 "OMP_1.0"
#define VERSION_OMP_3_0 "OMP_3.0"
#define VERSION(returns, name, version, parameters)                                                \
	table->name##version =                                                                     \
		(__typeof__(table->name##version))find_version(handle, #name, VERSION_##version);
#define VARIADIC(name, type) table->name = (__typeof__(table->name))dlsym(handle, #name);
#include "gomp/functions.def"
}

/* A handle of the object that contains the address; NULL if there is none. */
static void *handle_of(const void *address)
{
	struct link_map *map;
	Dl_info info;

	if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
		return NULL;
	return dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
}

/*
 * Where the loader would bind the caller's calls without this library: GOMP_parallel, which every
 * libgomp has. NULL if there is none.
 */
static void *definition_for(const void *caller)
{
	void *found = dlsym(RTLD_NEXT, "GOMP_parallel"), *handle;

	if (found)
		return found;
	handle = handle_of(caller);
	return handle ? dlsym(handle, "GOMP_parallel") : NULL;
}

/* Without a definition the program could not have called. */
static void __attribute__((noreturn)) fail(void)
{
	fprintf(stderr, "ompprof-gomp: the program calls libgomp, which is not loaded\n");
	abort();
}

/* NULL if the caller is bound to no libgomp. */
static const struct gomp_functions *table_for(const void *caller)
{
	void *found = definition_for(caller), *handle;
	uint32_t i;

	for (i = 0; i < n_functions; i++) {
		if ((void *)functions[i].GOMP_parallel == found)
			return &functions[i];
	}
	handle = found && i < MAX_LIBGOMPS ? handle_of(found) : NULL;
	if (!handle)
		return NULL;
	fill(&functions[i], handle);
	gomp_name(functions[i].name, sizeof(functions[i].name), handle);
	functions[i].is_foreign = gomp_is_foreign(handle, found);
	gomp_add_code(found);
	n_functions++;
	return &functions[i];
}

/* Adds the caller's module; if there is no room, it is looked up at each call. */
static const struct gomp_functions *add_module(const void *caller, struct module *module)
{
	struct dl_find_object found;

	*module = (struct module){ .next = table_for(caller) };
	if (!module->next || _dl_find_object((void *)caller, &found) != 0)
		return module->next;
	module->start = (uintptr_t)found.dlfo_map_start;
	module->bytes = (uintptr_t)found.dlfo_map_end - module->start;
	if (n_modules < MAX_MODULES) {
		modules[n_modules] = *module;
		__atomic_store_n(&n_modules, n_modules + 1, __ATOMIC_RELEASE);
	}
	return module->next;
}

static const struct gomp_functions *find_next(struct thread *thread, const void *caller)
{
	struct module module = { 0 };

	for (uint32_t i = __atomic_load_n(&n_modules, __ATOMIC_ACQUIRE); i-- > 0 && !module.next;) {
		if ((uintptr_t)caller - modules[i].start < modules[i].bytes)
			module = modules[i];
	}
	if (!module.next) {
		pthread_mutex_lock(&mutex);
		add_module(caller, &module);
		pthread_mutex_unlock(&mutex);
	}
	thread->caller = module.start;
	thread->caller_bytes = module.bytes;
	thread->next = module.next;
	return module.next;
}

const struct gomp_functions *gomp_find_next(struct thread *thread, const void *caller)
{
	const struct gomp_functions *next = find_next(thread, caller);

	if (!next)
		fail();
	return next;
}

const struct gomp_functions *gomp_try_next(const void *caller)
{
	return find_next(&gomp_self, caller);
}
