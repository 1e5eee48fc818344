/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks, sizes and jobs out of the environment that launchers give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/shared/launcher.h"

struct row {
	const char *what;
	const char *variables[12]; /* name, value, ... */
	int rank;                  /* -1: none */
	uint32_t n_ranks;
	const char *job;
};

static const struct row rows[] = {
	{ "nothing", { NULL }, -1, 0, "" },
	{ "Open MPI 4",
		{ "OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "8", "PMIX_NAMESPACE", "159",
			"PMIX_RANK", "3", "OMPI_MCA_orte_precondition_transports", "d5-0d" },
		3, 8, "PMIX_NAMESPACE 159.d5-0d" },
	{ "Open MPI without PMIx",
		{ "OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2",
			"OMPI_MCA_ess_base_jobid", "77" },
		0, 2, "OMPI_MCA_ess_base_jobid 77" },
	{ "Open MPI started by srun: a rank of Slurm's is its daemon's",
		{ "OMPI_COMM_WORLD_RANK", "5", "OMPI_COMM_WORLD_SIZE", "6", "PMIX_NAMESPACE", "9",
			"SLURM_PROCID", "1", "SLURM_STEP_ID", "0" },
		5, 6, "PMIX_NAMESPACE 9" },
	{ "MPICH", { "PMI_RANK", "1", "PMI_SIZE", "4" }, 1, 4, "" },
	{ "PMI with a job", { "PMI_RANK", "1", "PMI_SIZE", "4", "PMI_JOBID", "12.3" }, 1, 4,
		"PMI_JOBID 12.3" },
	{ "srun with PMIx",
		{ "PMIX_RANK", "2", "PMIX_NAMESPACE", "slurm.pmix.7.0", "SLURM_PROCID", "2",
			"SLURM_STEP_ID", "0", "SLURM_NTASKS", "4" },
		2, 4, "PMIX_NAMESPACE slurm.pmix.7.0" },
	{ "a step of srun",
		{ "SLURM_PROCID", "7", "SLURM_NTASKS", "8", "SLURM_JOB_ID", "42", "SLURM_STEP_ID",
			"1" },
		7, 8, "SLURM_JOB_ID 42.1" },
	{ "a batch script of Slurm",
		{ "SLURM_PROCID", "0", "SLURM_NTASKS", "8", "SLURM_JOB_ID", "42" }, -1, 0, "" },
	{ "a batch script that is a step by number",
		{ "SLURM_PROCID", "0", "SLURM_NTASKS", "8", "SLURM_JOB_ID", "42", "SLURM_STEP_ID",
			"4294967291" },
		-1, 0, "" },
	{ "mpirun in a batch script of Slurm",
		{ "OMPI_COMM_WORLD_RANK", "1", "SLURM_NTASKS", "8", "PMIX_NAMESPACE", "9" }, 1, 0,
		"PMIX_NAMESPACE 9" },
	{ "a size that the rank is not below", { "PMI_RANK", "4", "PMI_SIZE", "4" }, 4, 0, "" },
	{ "no number", { "PMI_RANK", "first", "PMI_SIZE", "4" }, -1, 0, "" },
	{ "a negative number", { "PMI_RANK", "-1", "PMI_SIZE", "4" }, -1, 0, "" },
	{ "no number, but another launcher's",
		{ "PMI_RANK", "", "SLURM_PROCID", "1", "SLURM_STEP_ID", "0", "SLURM_JOB_ID", "3" },
		1, 0, "SLURM_JOB_ID 3.0" },
	{ "a job by hand", { "PMI_RANK", "1", "PMI_SIZE", "4", "OMPPROF_JOB", "mine" }, 1, 4,
		"OMPPROF_JOB mine" },
	{ "... without a rank", { "OMPPROF_JOB", "mine" }, -1, 0, "" },
};

/* Every variable that a row sets. */
static void clear(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t k = 0; k + 1 < 12 && rows[i].variables[k]; k += 2)
			unsetenv(rows[i].variables[k]);
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		struct launcher launcher;

		clear();
		for (size_t k = 0; k + 1 < 12 && row->variables[k]; k += 2)
			setenv(row->variables[k], row->variables[k + 1], 1);
		launcher_read(&launcher);
		print_message("# %s\n", row->what);
		assert_int_equal(launcher.has_rank ? (int)launcher.rank : -1, row->rank);
		assert_int_equal(launcher.n_ranks, row->n_ranks);
		assert_string_equal(launcher.job, row->job);
		assert_int_equal(launcher.variable != NULL, launcher.has_rank);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

	return cmocka_run_group_tests_name("launcher", tests, NULL, NULL);
}
