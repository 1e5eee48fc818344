/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which libgomp a module's calls go to. A process can have several: Python's wheels bring their
 * own. The loader binds a module to the first definition among the objects that were loaded with
 * the program, then among the module's own libraries. Without this library, the same libgomp would
 * be found. Each libgomp has a table of its functions. When an unknown module calls, all modules
 * are looked up.
 *
 * Nothing here keeps a module or a libgomp loaded. So what is known of modules ends when dlclose
 * unloads anything, and a libgomp that was loaded again at the same addresses has the same table.
 *
 * The loader has a lock of its own, which it holds while the constructors of a module are executed.
 * A constructor may call libgomp. So the loader's lock is never taken under the mutex. See
 * docs/libgomp.md.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "gomp/caller.h"
#include "gomp/extent.h"
#include "gomp/gomp.h"
#include "gomp/serial.h"
#include "gomp/start.h"
#include "gomp/version.h"

/*
 * A module that calls or may call, [start, start + bytes). Once in the list it is never freed, as
 * others may read it.
 */
struct module {
	uintptr_t start;
	uintptr_t bytes;
	const struct gomp_functions *next; /* NULL: it is bound to no libgomp */
	uint32_t n_closed;                 /* gomp_n_closed when it was looked up last */
	struct module *older;
};

uint32_t gomp_n_closed = 1;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* for writes of the rest but `process` */
static struct module *modules;
static int has_local;     /* a module was looked up by itself */
static struct module all; /* all addresses; `next`: the libgomp of all modules, if there is one */
static struct gomp_functions *tables;
static pid_t process; /* the process that loaded this library; 0 until then */

/*
 * Whether fork has made the process. The child has the loader's lock anew, but not the lock of
 * dl_iterate_phdr, which a thread of the parent may have held.
 */
static int is_child(void)
{
	return process && getpid() != process;
}

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

static int is_known(const struct module *module, uintptr_t address, uint32_t n_closed)
{
	return address - module->start < module->bytes &&
	       __atomic_load_n(&module->n_closed, __ATOMIC_ACQUIRE) == n_closed;
}

/*
 * Modules that were found may be gone. The libgomp of all modules seldom is: then no thread has to
 * look for it, and to wait for the loader's lock.
 */
static void forget(void)
{
	void *found = all.next ? dlsym(RTLD_NEXT, "GOMP_barrier") : NULL;
	int is_there;

	dlerror();
	pthread_mutex_lock(&mutex);
	is_there = found && found == (void *)all.next->GOMP_barrier &&
		   is_known(&all, 0, gomp_n_closed);
	if (is_there)
		__atomic_store_n(&all.n_closed, gomp_n_closed + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&gomp_n_closed, gomp_n_closed + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&mutex);
}

static int close_handle(void *handle)
{
	unsigned long long before = 0, after = 0;
	int result;

	dl_iterate_phdr(take_n_unloaded, &before);
	result = close_next(handle);
	dl_iterate_phdr(take_n_unloaded, &after);
	if (result == 0 && before != after)
		forget();
	return result;
}

/* The program may have closed the object meanwhile: then this unloads it. */
static void close_own(void *handle)
{
	if (is_child())
		close_next(handle);
	else
		close_handle(handle);
}

GOMP_EXPORT int dlclose(void *handle)
{
	return close_handle(handle);
}

/*
 * A function of the library that `handle` is of. If it does not have the function, the next
 * definition: a preloaded library may define only some functions of libgomp.
 */
static void *find_function(void *handle, const char *name)
{
	void *function = dlsym(handle, name);

	return function ? function : dlsym(RTLD_NEXT, name);
}

static void *find_version(void *handle, const char *name, const char *version)
{
	void *function = dlvsym(handle, name, version);

	return function ? function : find_function(handle, name);
}

/* Fills the table from the libgomp that `handle` is of. */
static void fill(struct gomp_functions *table, void *handle)
{
#define FUNCTION(returns, name, parameters)                                                        \
	table->name = (__typeof__(table->name))find_function(handle, #name);
#define VERSION_OMP_1_0 "OMP_1.0"
#define VERSION_OMP_3_0 "OMP_3.0"
#define VERSION(returns, name, version, parameters)                                                \
	table->name##version =                                                                     \
		(__typeof__(table->name##version))find_version(handle, #name, VERSION_##version);
#define VARIADIC(name, type) table->name = (__typeof__(table->name))find_function(handle, #name);
#include "gomp/functions.def"
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

/* A symbol of a library or of the libraries it needs; NULL if only this library defines it. */
static void *definition_in(void *handle, const char *name)
{
	void *found = handle ? dlsym(handle, name) : NULL;

	return found && !gomp_is_own_code(found) ? found : NULL;
}

/*
 * Where the loader would bind the calls of the module without this library: GOMP_barrier, which
 * every libgomp has, or omp_set_lock of a runtime that has nothing of libgomp. `module`: an address
 * in it; NULL: a GOMP_barrier for all modules. Returns NULL if there is none.
 */
static void *definition_for(const void *module)
{
	void *found = dlsym(RTLD_NEXT, "GOMP_barrier"), *handle;

	if (found || !module)
		return found;
	handle = handle_of(module);
	found = definition_in(handle, "GOMP_barrier");
	if (!found)
		found = dlsym(RTLD_NEXT, "omp_set_lock");
	if (!found)
		found = definition_in(handle, "omp_set_lock");
	if (handle)
		close_own(handle);
	return found;
}

/* The table that has the same functions, or NULL. */
static struct gomp_functions *find_same(const struct gomp_functions *table)
{
	struct gomp_functions *old = __atomic_load_n(&tables, __ATOMIC_ACQUIRE);

	while (old && !is_same(old, table))
		old = old->older;
	return old;
}

/* Adds the table, unless another thread has added the same. Returns the table in the list. */
static struct gomp_functions *add_table(struct gomp_functions *table, const void *found)
{
	struct extent of_library = { 0 }, own = { 0 };
	struct gomp_functions *old;

	/* Before glibc 2.35 this takes the loader's lock. */
	gomp_find_extent(found, &of_library);
	gomp_find_extent((const void *)(uintptr_t)gomp_find_next, &own);
	pthread_mutex_lock(&mutex);
	old = find_same(table);
	if (!old) {
		gomp_add_code(&of_library);
		if (!tables)
			gomp_add_code(&own);
		table->older = tables;
		__atomic_store_n(&tables, table, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&mutex);
	return old ? old : table;
}

/* Makes the table of the library that defines `found`, or finds it. NULL without memory. */
static struct gomp_functions *make_table(void *found, void *handle)
{
	struct gomp_functions *table = calloc(1, sizeof(*table)), *old;

	if (!table)
		return NULL;
	fill(table, handle);
	old = find_same(table);
	if (!old) {
		gomp_name(table->name, sizeof(table->name), handle);
		table->openmp = gomp_openmp(handle);
		/* A libgomp before GCC 9 lacks this function, and others that must be there. */
		table->is_foreign = gomp_is_foreign(handle, found) || !table->GOMP_teams_reg;
		old = add_table(table, found);
	}
	if (old != table)
		free(table);
	return old;
}

static struct gomp_functions *find_table(void *found)
{
	void *handle = handle_of(found);
	struct gomp_functions *table;

	if (!handle)
		return NULL;
	table = make_table(found, handle);
	close_own(handle);
	return table;
}

static struct module *find_module(uintptr_t address, uint32_t n_closed)
{
	struct module *module = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);

	while (module && !is_known(module, address, n_closed))
		module = module->older;
	return module;
}

/* Under the mutex: whether the module was there before. It is known again. */
static int renew_module(const struct module *found)
{
	struct module *module = modules;

	while (module && (module->start != found->start || module->bytes != found->bytes ||
				 module->next != found->next))
		module = module->older;
	if (module)
		__atomic_store_n(&module->n_closed, found->n_closed, __ATOMIC_RELEASE);
	return module != NULL;
}

/* Remembers what was looked up. If there is no memory, it is looked up again. */
static void add_module(struct module found)
{
	struct module *module = malloc(sizeof(*module));

	pthread_mutex_lock(&mutex);
	if (!renew_module(&found) && module) {
		*module = found;
		module->older = modules;
		__atomic_store_n(&modules, module, __ATOMIC_RELEASE);
		module = NULL;
	}
	pthread_mutex_unlock(&mutex);
	free(module);
}

static void add(const void *address, const struct gomp_functions *next, uint32_t n_closed)
{
	struct module module = { .next = next, .n_closed = n_closed };
	struct extent extent;

	if (gomp_find_extent((const void *)address, &extent) != 0)
		return;
	module.start = extent.lo;
	module.bytes = extent.hi - extent.lo;
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

/* The objects of the process, as addresses in them. */
struct objects {
	const void **address;
	size_t n;
	size_t most;
};

static int take_n_objects(struct dl_phdr_info *info, size_t size, void *data)
{
	struct objects *objects = data;

	objects->most = (size_t)(info->dlpi_adds - info->dlpi_subs);
	return 1;
}

static int take_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct objects *objects = data;

	if (objects->n == objects->most)
		return 1;
	objects->address[objects->n++] = info->dlpi_phdr;
	return 0;
}

static void look_up_object(const void *address, uint32_t n_closed)
{
	const struct gomp_functions *next;

	if (find_module((uintptr_t)address, n_closed))
		return;
	next = table_of(definition_for(address), n_closed);
	if (next)
		add(address, next, n_closed);
}

/*
 * The loader's lock is taken for a lookup. The constructor of a module that is loaded holds it, and
 * may execute a region: threads of the region that call from another module must find it known. So
 * all modules are looked up. Without memory they are not, nor in a child made by fork.
 */
static void look_up_all(uint32_t n_closed)
{
	struct objects objects = { 0 };

	if (is_child())
		return;
	dl_iterate_phdr(take_n_objects, &objects);
	objects.address = malloc(objects.most * sizeof(*objects.address));
	if (!objects.address)
		return;
	dl_iterate_phdr(take_object, &objects);
	for (size_t i = 0; i < objects.n; i++)
		look_up_object(objects.address[i], n_closed);
	free(objects.address);
}

/* Looks up the module of the address, and all others if look_up_all can. */
static const struct gomp_functions *look_up(const void *address, uint32_t n_closed)
{
	const struct gomp_functions *next;

	look_up_all(n_closed);
	next = table_of(definition_for(address), n_closed);
	add(address, next, n_closed);
	dlerror(); /* no message of a lookup that failed: the program may ask for its own */
	return next;
}

/* The libgomp that the module of the address is bound to; NULL if there is none. */
static const struct gomp_functions *next_of(
	struct thread *thread, const void *address, uint32_t n_closed)
{
	const struct module *module = thread->module;

	if (!module || !is_known(module, (uintptr_t)address, n_closed))
		module = find_module((uintptr_t)address, n_closed);
	if (module) {
		thread->module = module;
		return module->next;
	}
	pthread_mutex_lock(&mutex);
	has_local = 1;
	pthread_mutex_unlock(&mutex);
	return look_up(address, n_closed);
}

/*
 * The libgomp that all modules are bound to, because it was loaded with the program; NULL if there
 * is none. A libgomp that comes later is for the modules that come later.
 */
static const struct gomp_functions *next_of_all(uint32_t n_closed)
{
	const struct gomp_functions *next;

	if (is_known(&all, 0, n_closed))
		return all.next;
	next = table_of(definition_for(NULL), n_closed);
	dlerror();
	pthread_mutex_lock(&mutex);
	if (!has_local)
		all.next = next;
	next = all.next;
	all.bytes = UINTPTR_MAX;
	__atomic_store_n(&all.n_closed, n_closed, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&mutex);
	return next;
}

/*
 * A libgomp of the program and its tool are found before the first call, which may find the
 * loader's lock taken: by a constructor that waits for the calling thread.
 */
__attribute__((constructor)) static void on_load(void)
{
	process = getpid();
	if (dlsym(RTLD_NEXT, "GOMP_barrier")) {
		next_of_all(gomp_n_closed);
		gomp_find_own_tool();
	}
	dlerror();
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
 * Guesses the libgomp if the calling module is bound to none, or is not known because its function
 * ended with a jump to this library. A body that ends so returns to this library: then the region's
 * libgomp. Else the libgomp of the thread's latest call, which most likely came from the same
 * function; else any. NULL if there is no libgomp.
 */
static const struct gomp_functions *guess(
	struct thread *thread, const void *caller, uint32_t n_closed)
{
	const struct gomp_functions *next;

	if (gomp_is_own_code(caller) && thread->task && thread->task->team)
		return thread->task->team->next;
	if (thread->next && thread->n_closed == n_closed)
		return thread->next;
	next = next_of(thread, caller, n_closed);
	return next ? next : find_any(n_closed);
}

static const struct gomp_functions *find_next(
	struct thread *thread, const void *caller, const void *body)
{
	uint32_t n_closed = __atomic_load_n(&gomp_n_closed, __ATOMIC_ACQUIRE);
	const struct gomp_functions *next = next_of_all(n_closed);
	int error = errno;
	const void *module;

	thread->is_for_all = next != NULL;
	if (!next) {
		module = body ? body : gomp_calling_code(caller);
		next = module ? next_of(thread, module, n_closed) : NULL;
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

	return next ? next : gomp_serial();
}

const struct gomp_functions *gomp_try_next(const void *caller)
{
	return find_next(&gomp_self, caller, NULL);
}
