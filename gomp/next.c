/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which libgomp a module's calls go to. A process can have several: Python's wheels bring their
 * own. The loader binds a module to the first definition among the objects that were loaded with
 * the program, then among the module's own libraries. Without this library, the same libgomp would
 * be found. Each libgomp has a table of its functions. A module is looked up at its first call.
 *
 * Nothing here keeps a module or a libgomp loaded. So what is known of modules ends when dlclose
 * unloads anything, and a libgomp that was loaded again at the same addresses has the same table.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "gomp/caller.h"
#include "gomp/gomp.h"
#include "gomp/start.h"
#include "gomp/version.h"

/* A module that calls, [start, start + bytes). It is never freed, as others may read it. */
struct module {
	uintptr_t start;
	uintptr_t bytes;
	const struct gomp_functions *next; /* NULL: it is bound to no libgomp */
	uint32_t n_closed;                 /* gomp_n_closed when it was looked up last */
	struct module *older;
};

uint32_t gomp_n_closed = 1;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct module *modules;
static int has_local;     /* a module was looked up by itself */
static struct module all; /* if all modules are bound to one libgomp: all addresses */
static struct gomp_functions *tables;

static int close_next(void *handle)
{
	int (*next)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");

	return next(handle);
}

/* A callback of dl_iterate_phdr for one object: how many objects were unloaded. */
static int take_n_unloaded(struct dl_phdr_info *info, size_t size, void *n_unloaded)
{
	*(unsigned long long *)n_unloaded = info->dlpi_subs;
	return 1;
}

/* Modules and libgomps that were found may be gone. */
GOMP_EXPORT int dlclose(void *handle)
{
	unsigned long long before = 0, after = 0;
	int result;

	dl_iterate_phdr(take_n_unloaded, &before);
	result = close_next(handle);
	dl_iterate_phdr(take_n_unloaded, &after);
	if (before != after)
		__atomic_add_fetch(&gomp_n_closed, 1, __ATOMIC_RELEASE);
	return result;
}

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

/* Leaves no message of a lookup that failed: the program may ask for its own. */
static void unlock(void)
{
	dlerror();
	pthread_mutex_unlock(&mutex);
}

/* Whether the two have the same functions. */
static int is_same(const struct gomp_functions *a, const struct gomp_functions *b)
{
#define FUNCTION(returns, name, parameters)         &&a->name == b->name
#define VERSION(returns, name, version, parameters) &&a->name##version == b->name##version
#define VARIADIC(name, type)                        &&a->name == b->name
	return 1
#include "gomp/functions.def"
		;
}

/* A handle of the object that contains the address, to be closed; NULL if there is none. */
static void *handle_of(const void *address)
{
	struct link_map *map;
	Dl_info info;

	if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
		return NULL;
	return dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
}

/*
 * Where the loader would bind the calls of the module without this library: GOMP_barrier, which
 * every libgomp has. `module`: an address in it, or NULL. NULL if there is none.
 */
static void *definition_for(const void *module)
{
	void *found = dlsym(RTLD_NEXT, "GOMP_barrier"), *handle;

	if (found || !module)
		return found;
	handle = handle_of(module);
	if (!handle)
		return NULL;
	found = dlsym(handle, "GOMP_barrier");
	close_next(handle);
	return found == (void *)GOMP_barrier ? NULL : found;
}

/* Fills a table, or finds an older table with the same functions. NULL without memory. */
static struct gomp_functions *find_table(void *found)
{
	void *handle = handle_of(found);
	struct gomp_functions *table = handle ? calloc(1, sizeof(*table)) : NULL, *old;

	if (!table)
		return NULL;
	fill(table, handle);
	for (old = tables; old && !is_same(old, table);)
		old = old->older;
	if (old) {
		free(table);
		table = old;
	} else {
		gomp_name(table->name, sizeof(table->name), handle);
		/* GCC 9 brought the function. Before, libgomp lacks functions that are called. */
		table->is_foreign = gomp_is_foreign(handle, found) || !table->GOMP_teams_reg;
		gomp_add_code(found);
		table->older = tables;
		tables = table;
	}
	close_next(handle);
	return table;
}

static int is_known(const struct module *module, uintptr_t address, uint32_t n_closed)
{
	return address - module->start < module->bytes &&
	       __atomic_load_n(&module->n_closed, __ATOMIC_ACQUIRE) == n_closed;
}

static struct module *find_module(uintptr_t address, uint32_t n_closed)
{
	struct module *module = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);

	while (module && !is_known(module, address, n_closed))
		module = module->older;
	return module;
}

/* Remembers what was looked up. If there is no memory, it is looked up again. */
static void add_module(struct module found)
{
	struct module *module = modules;

	while (module && (module->start != found.start || module->bytes != found.bytes ||
				 module->next != found.next))
		module = module->older;
	if (module) {
		__atomic_store_n(&module->n_closed, found.n_closed, __ATOMIC_RELEASE);
		return;
	}
	module = malloc(sizeof(*module));
	if (!module)
		return;
	*module = found;
	module->older = modules;
	__atomic_store_n(&modules, module, __ATOMIC_RELEASE);
}

static void add(const void *address, const struct gomp_functions *next, uint32_t n_closed)
{
	struct module module = { .next = next, .n_closed = n_closed };
	struct dl_find_object found;

	if (_dl_find_object((void *)address, &found) != 0)
		return;
	module.start = (uintptr_t)found.dlfo_map_start;
	module.bytes = (uintptr_t)found.dlfo_map_end - module.start;
	add_module(module);
}

/*
 * The table of the libgomp that defines `found`; NULL if there is none. libgomp itself calls bodies
 * that end with a jump, so its own code is noted as well.
 */
static const struct gomp_functions *table_of(void *found, uint32_t n_closed)
{
	const struct module *module = found ? find_module((uintptr_t)found, n_closed) : NULL;
	const struct gomp_functions *table;

	if (!found || module)
		return found ? module->next : NULL;
	table = find_table(found);
	if (table)
		add(found, table, n_closed);
	return table;
}

/* The objects of the process, as addresses in them. Under the mutex. */
static struct {
	const void *address[1024];
	uint32_t n;
} objects;

static int take_object(struct dl_phdr_info *info, size_t size, void *data)
{
	const uint32_t most = sizeof(objects.address) / sizeof(objects.address[0]);

	objects.address[objects.n++] = info->dlpi_phdr;
	return objects.n == most;
}

/*
 * Looks up the module of the address, and many others. The loader's lock is taken for this. The
 * constructor of a module that is loaded holds it, and may execute a region: threads of the region
 * that call from another module must find it known.
 */
static const struct gomp_functions *look_up(const void *address, uint32_t n_closed)
{
	const struct gomp_functions *next;

	objects.n = 0;
	dl_iterate_phdr(take_object, NULL);
	for (uint32_t i = 0; i < objects.n; i++) {
		next = find_module((uintptr_t)objects.address[i], n_closed)
			       ? NULL
			       : table_of(definition_for(objects.address[i]), n_closed);
		if (next)
			add(objects.address[i], next, n_closed);
	}
	next = table_of(definition_for(address), n_closed);
	add(address, next, n_closed);
	return next;
}

/* The libgomp that the module of the address is bound to; NULL if there is none. */
static const struct gomp_functions *next_of(const void *address, uint32_t n_closed)
{
	const struct module *module = find_module((uintptr_t)address, n_closed);
	const struct gomp_functions *next;

	if (module)
		return module->next;
	pthread_mutex_lock(&mutex);
	has_local = 1;
	next = look_up(address, n_closed);
	unlock();
	return next;
}

/*
 * The libgomp that all modules are bound to, because it was loaded with the program; NULL if there
 * is none. A libgomp that comes later is for the modules that come later.
 */
static const struct gomp_functions *next_of_all(uint32_t n_closed)
{
	if (is_known(&all, 0, n_closed))
		return all.next;
	pthread_mutex_lock(&mutex);
	if (!has_local)
		all.next = table_of(definition_for(NULL), n_closed);
	all.bytes = UINTPTR_MAX;
	__atomic_store_n(&all.n_closed, n_closed, __ATOMIC_RELEASE);
	unlock();
	return all.next;
}

/* A libgomp that some module is bound to. */
static const struct gomp_functions *find_any(uint32_t n_closed)
{
	const struct module *module = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);

	while (module &&
		(!module->next || __atomic_load_n(&module->n_closed, __ATOMIC_ACQUIRE) != n_closed))
		module = module->older;
	return module ? module->next : NULL;
}

/*
 * The calling module is not known, as its function ended with a jump to this library. A body that
 * ends so returns to this library: then it is the region's libgomp. Otherwise the thread's latest
 * call came most likely from the same function. NULL if there is no libgomp.
 */
static const struct gomp_functions *guess(
	const struct thread *thread, const void *caller, uint32_t n_closed)
{
	const struct gomp_functions *next;

	if (gomp_is_own_code(caller) && thread->task && thread->task->team)
		return thread->task->team->next;
	if (thread->next && thread->n_closed == n_closed)
		return thread->next;
	next = next_of(caller, n_closed);
	return next ? next : find_any(n_closed);
}

static const struct gomp_functions *find_next(
	struct thread *thread, const void *caller, const void *body)
{
	uint32_t n_closed = __atomic_load_n(&gomp_n_closed, __ATOMIC_ACQUIRE);
	const struct gomp_functions *next = next_of_all(n_closed);
	int error = errno;
	const void *module;

	thread->caller_bytes = next ? UINTPTR_MAX : 0;
	if (!next) {
		module = body ? body : gomp_calling_code(caller);
		next = module ? next_of(module, n_closed) : NULL;
	}
	if (!next)
		next = guess(thread, caller, n_closed);
	thread->next = next;
	thread->n_closed = n_closed;
	errno = error;
	return next;
}

const struct gomp_functions *gomp_find_next(
	struct thread *thread, const void *caller, const void *body)
{
	const struct gomp_functions *next = find_next(thread, caller, body);

	if (next)
		return next;
	/* Without a definition the program could not have called. */
	fprintf(stderr, "ompprof-gomp: the program calls libgomp, which is not loaded\n");
	abort();
}

const struct gomp_functions *gomp_try_next(const void *caller)
{
	return find_next(&gomp_self, caller, NULL);
}
