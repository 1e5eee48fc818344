/* SPDX-License-Identifier: Apache-2.0 */
/* What is done within MPI: everything that is called from a frame of the MPI library, itself included. */
#include <stdlib.h>
#include <string.h>

#include "attribution/metrics/metrics_internal.h"

/* By the library's name up to its version: Open MPI, MPICH and those made of it, and their bindings. */
int metrics_is_mpi(const struct profile_module *module)
{
	static const char *const names[] = { "libmpi", "libmpich", "libmpicxx", "libmpichcxx",
		"libmpifort", "libmpichfort", "libpmpi", "libmpi_cxx", "libmpi_mpifh",
		"libmpi_usempif08", "libmpi_usempi_ignore_tkr", "libmpi_cray", "libmpi_gnu_123" };
	const char *slash = strrchr(module->path, '/');
	const char *base = slash ? slash + 1 : module->path;
	size_t n = strcspn(base, ".-");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && strncmp(base, names[i], n) == 0)
			return 1;
	return 0;
}

int metrics_find_mpi(struct metrics_work *work)
{
	const struct profile *profile = work->profile;
	const struct tree *tree = work->tree;
	uint8_t *modules = calloc(profile->n_modules + 1, sizeof(*modules));

	work->is_mpi = calloc(tree->n_nodes + 1, sizeof(*work->is_mpi));
	if (!modules || !work->is_mpi) {
		free(modules);
		return -1;
	}
	for (size_t i = 0; i < profile->n_modules; i++)
		modules[i] = (uint8_t)metrics_is_mpi(&profile->modules[i]);
	for (uint32_t i = 1; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		work->is_mpi[i] = work->is_mpi[node->parent] ||
				  (node->kind == TREE_FRAME && node->module < profile->n_modules &&
					  modules[node->module]);
	}
	free(modules);
	return 0;
}
