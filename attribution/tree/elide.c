/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the runtime's frames from the user's; see elide.h. */
#include "attribution/tree/elide.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* ompt_thread_t: ompt_thread_worker. */
#define THREAD_WORKER 2

static int is_one_of(const char *path, const char *const *names)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	for (; *names; names++) {
		size_t n = strlen(*names);

		if (strncmp(base, *names, n) == 0 && strchr(".-", base[n]))
			return 1;
	}
	return 0;
}

enum elide_role elide_role(const struct profile_module *module)
{
	static const char *const system[] = { "libc", "libm", "libmvec", "libpthread", "libdl",
		"librt", "libgcc_s", "libffi", "ld", "linux-vdso", NULL };
	static const char *const runtime[] = { "libomp", "libiomp5", "libgomp", "libomptarget",
		"libarcher", "libompprof", NULL };

	if (module->flags & (PROFILE_MODULE_MAIN | PROFILE_MODULE_PYTHON))
		return ELIDE_USER;
	if (module->flags & (PROFILE_MODULE_RUNTIME | PROFILE_MODULE_TOOL))
		return ELIDE_RUNTIME;
	if (module->flags & PROFILE_MODULE_VDSO || is_one_of(module->path, system))
		return ELIDE_SYSTEM;
	return is_one_of(module->path, runtime) ? ELIDE_RUNTIME : ELIDE_USER;
}

int elide_is_mpi(const char *path)
{
	/* Open MPI, MPICH, their derivatives and bindings. */
	static const char *const names[] = { "libmpi", "libmpich", "libmpicxx", "libmpichcxx",
		"libmpifort", "libmpichfort", "libpmpi", "libmpi_cxx", "libmpi_mpifh",
		"libmpi_usempif08", "libmpi_usempi_ignore_tkr", "libmpi_cray", "libmpi_gnu_123",
		NULL };

	return is_one_of(path, names);
}

/* The decision in progress. */
struct elider {
	const struct profile *profile;
	struct elision *elision;
	uint32_t *first; /* by module: the first record of the same object */
	uint8_t *role;   /* by module: enum elide_role */
	uint8_t *is_mpi; /* by module: the MPI library */
	/* by node: a frame of the MPI library, or that it called */
	uint8_t *is_mpis;
	/* by node: it is marked as the runtime's, but the runtime called the user's code here */
	uint8_t *is_called_back;
	/* by node: the system's code that the node calls is the runtime's */
	uint8_t *is_for_runtime;
	int has_separate_runtime; /* the runtime has a module of its own */
};

static void read_roles(struct elider *elider)
{
	for (size_t i = 0; i < elider->profile->n_modules; i++) {
		const struct profile_module *module = &elider->profile->modules[i];

		elider->role[i] = (uint8_t)elide_role(module);
		elider->is_mpi[i] = (uint8_t)elide_is_mpi(module->path);
		if (module->flags & PROFILE_MODULE_RUNTIME && elider->role[i] == ELIDE_RUNTIME)
			elider->has_separate_runtime = 1;
	}
}

/* Orders records by all that describes the object, that is, by all except the generation. */
static int compare_objects(const struct profile_module *a, const struct profile_module *b)
{
	const uint64_t one[] = { a->start, a->end, a->bias, a->flags, a->build_id_bytes };
	const uint64_t two[] = { b->start, b->end, b->bias, b->flags, b->build_id_bytes };
	int order;

	for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++) {
		if (one[i] != two[i])
			return one[i] < two[i] ? -1 : 1;
	}
	order = memcmp(a->build_id, b->build_id, sizeof(a->build_id));
	return order ? order : strcmp(a->path, b->path);
}

static int compare_records(const void *a, const void *b)
{
	const struct profile_module *const *one = a, *const *two = b;
	int order = compare_objects(*one, *two);

	return order ? order : (*one > *two) - (*one < *two);
}

/* Fills elider->first. Returns 0, or -1 when out of memory. */
static int find_same(struct elider *elider)
{
	const struct profile_module *modules = elider->profile->modules;
	size_t n = elider->profile->n_modules, first = 0;
	const struct profile_module **sorted = calloc(n + 1, sizeof(const struct profile_module *));

	if (!sorted)
		return -1;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &modules[i];
	qsort(sorted, n, sizeof(*sorted), compare_records);
	for (size_t i = 0; i < n; i++) {
		if (compare_objects(sorted[first], sorted[i]) != 0)
			first = i;
		elider->first[sorted[i] - modules] = (uint32_t)(sorted[first] - modules);
	}
	free(sorted);
	return 0;
}

static uint32_t module_of(const struct elider *elider, const struct profile_tree_node *node)
{
	const struct profile *profile = elider->profile;
	int is_exact = node->kind == PROFILE_NODE_FRAME && node->flags & PROFILE_FRAME_EXACT;
	const struct profile_module *module;

	if (node->kind != PROFILE_NODE_FRAME && node->kind != PROFILE_NODE_REGION &&
		node->kind != PROFILE_NODE_TASK && node->kind != PROFILE_NODE_TARGET)
		return NONE;
	module = profile_module_of(
		profile, node->module, is_exact || !node->addr ? node->addr : node->addr - 1);
	return module ? elider->first[module - profile->modules] : NONE;
}

/* Whether the runtime started the stack of this frame: the outermost of a worker or helper. */
static int is_worker_start(const struct profile *profile, const struct profile_tree_node *node)
{
	uint8_t parent = profile->nodes[node->parent].kind;

	const struct profile_thread *thread = &profile->threads[node->owner];

	/* Where a task's function ended with a call, the called function is its only frame. */
	return (thread->type == THREAD_WORKER || profile_is_helper(thread)) &&
	       (parent == PROFILE_NODE_THREAD ||
		       (parent == PROFILE_NODE_CONTEXT && !(node->flags & PROFILE_FRAME_EXACT)));
}

/*
 * Whether the C++ library started the thread of this frame, as std::thread does to call the
 * program's function.
 */
static int is_library_start(const struct elider *elider, const struct profile_tree_node *node)
{
	static const char *const libraries[] = { "libstdc++", "libc++", NULL };
	const struct profile *profile = elider->profile;
	const struct profile_module *module;

	if (profile->nodes[node->parent].kind != PROFILE_NODE_THREAD ||
		!profile_is_native(&profile->threads[node->owner]))
		return 0;
	module = &profile->modules[elider->elision->module[node - profile->nodes]];
	return is_one_of(module->path, libraries);
}

/*
 * Whether node `i`, which is marked as the runtime's, is code that the runtime called back into:
 * the user's, or the system's called from there.
 */
static int is_called_back(const struct elider *elider, uint32_t i, uint32_t module)
{
	if (!elider->has_separate_runtime || module == NONE)
		return 0;
	if (elider->role[module] == ELIDE_USER)
		return 1;
	return elider->role[module] == ELIDE_SYSTEM &&
	       elider->is_called_back[elider->profile->nodes[i].parent];
}

static void decide_frame(struct elider *elider, uint32_t i)
{
	const struct profile_tree_node *node = &elider->profile->nodes[i];
	uint32_t module = elider->elision->module[i];
	uint8_t *is_runtime = elider->elision->is_runtime;
	int is_tools =
		module != NONE && elider->profile->modules[module].flags & PROFILE_MODULE_TOOL;

	if (module != NONE && elider->role[module] == ELIDE_RUNTIME) {
		is_runtime[i] = 1;
	} else if (node->flags & PROFILE_FRAME_RUNTIME) {
		elider->is_called_back[i] = (uint8_t)is_called_back(elider, i, module);
		is_runtime[i] = !elider->is_called_back[i];
	} else if (module != NONE && elider->role[module] == ELIDE_SYSTEM) {
		is_runtime[i] = elider->is_for_runtime[node->parent] ||
				is_worker_start(elider->profile, node);
	} else if (module != NONE) {
		is_runtime[i] = (uint8_t)is_library_start(elider, node);
	}
	/* The tool is between the program and the functions that create threads. */
	elider->is_for_runtime[i] = is_tools ? elider->is_for_runtime[node->parent] : is_runtime[i];
}

/* The program calls the MPI library, which can call a function of the program. */
static void decide_mpi(struct elider *elider, uint32_t i)
{
	uint32_t module = elider->elision->module[i];
	int is_called = elider->is_mpis[elider->profile->nodes[i].parent];

	if (module != NONE && elider->profile->modules[module].flags & PROFILE_MODULE_MAIN)
		return;
	elider->elision->is_in_mpi[i] = (uint8_t)is_called;
	elider->is_mpis[i] = is_called || (module != NONE && elider->is_mpi[module]);
}

static int allocate(struct elider *elider, size_t n_nodes, size_t n_modules)
{
	struct elision *elision = elider->elision;

	elision->is_runtime = calloc(n_nodes, sizeof(*elision->is_runtime));
	elision->is_in_mpi = calloc(n_nodes, sizeof(*elision->is_in_mpi));
	elision->module = calloc(n_nodes, sizeof(*elision->module));
	elider->first = calloc(n_modules, sizeof(*elider->first));
	elider->role = calloc(n_modules, sizeof(*elider->role));
	elider->is_mpi = calloc(n_modules, sizeof(*elider->is_mpi));
	elider->is_mpis = calloc(n_nodes, sizeof(*elider->is_mpis));
	elider->is_called_back = calloc(n_nodes, sizeof(*elider->is_called_back));
	elider->is_for_runtime = calloc(n_nodes, sizeof(*elider->is_for_runtime));
	return elision->is_runtime && elision->is_in_mpi && elision->module && elider->first &&
			       elider->role && elider->is_mpi && elider->is_mpis &&
			       elider->is_called_back && elider->is_for_runtime
		       ? 0
		       : -1;
}

int elide(struct elision *elision, const struct profile *profile)
{
	struct elider elider = { .profile = profile, .elision = elision };
	int status = -1;

	if (allocate(&elider, profile->n_nodes + 1, profile->n_modules + 1) == 0 &&
		find_same(&elider) == 0) {
		read_roles(&elider);
		for (uint32_t i = 0; i < profile->n_nodes; i++) {
			elision->module[i] = module_of(&elider, &profile->nodes[i]);
			if (profile->nodes[i].kind != PROFILE_NODE_FRAME)
				continue;
			decide_frame(&elider, i);
			decide_mpi(&elider, i);
		}
		status = 0;
	}
	free(elider.first);
	free(elider.role);
	free(elider.is_mpi);
	free(elider.is_mpis);
	free(elider.is_called_back);
	free(elider.is_for_runtime);
	return status;
}

void elide_release(struct elision *elision)
{
	free(elision->is_runtime);
	free(elision->is_in_mpi);
	free(elision->module);
	*elision = (struct elision){ 0 };
}
