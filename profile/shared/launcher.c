/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and jobs as launchers report them; see launcher.h. */
#include "profile/shared/launcher.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slurm's steps that srun did not start (a batch script, a shell) have numbers from here on. */
#define SLURM_FIRST_SPECIAL_STEP 0xfffffff0u

static const struct source {
	const char *rank;
	const char *n_ranks[2]; /* the first of these that is set */
	const char *job[2];     /* both together name the job */
} sources[] = {
	/* The first variable can come again, as process numbers do; the second is random. */
	{ "OMPI_COMM_WORLD_RANK", { "OMPI_COMM_WORLD_SIZE" },
		{ "PMIX_NAMESPACE", "OMPI_MCA_orte_precondition_transports" } },
	{ "MV2_COMM_WORLD_RANK", { "MV2_COMM_WORLD_SIZE" }, { NULL } },
	{ "PMI_RANK", { "PMI_SIZE" }, { "PMI_JOBID" } },
	{ "PMIX_RANK", { "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS" }, { "PMIX_NAMESPACE" } },
	{ "SLURM_PROCID", { "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS" },
		{ "SLURM_JOB_ID", "SLURM_STEP_ID" } },
};

/* Reads a whole number. Returns 0, or -1 if the variable has no whole number. */
static int read_number(const char *name, uint32_t *number)
{
	const char *text = name ? getenv(name) : NULL;
	char *end;
	unsigned long value;

	if (!text || text[0] < '0' || text[0] > '9')
		return -1;
	value = strtoul(text, &end, 10);
	if (*end || value >= UINT32_MAX)
		return -1;
	*number = (uint32_t)value;
	return 0;
}

static int is_slurm_step(void)
{
	uint32_t step;

	return read_number("SLURM_STEP_ID", &step) == 0 && step < SLURM_FIRST_SPECIAL_STEP;
}

static int is_from_slurm(const char *name)
{
	return strncmp(name, "SLURM_", 6) == 0;
}

static void read_size(struct launcher *launcher, const struct source *source)
{
	for (size_t i = 0; i < 2 && !launcher->n_ranks; i++) {
		const char *name = source->n_ranks[i];

		if (name && is_from_slurm(name) && !is_slurm_step())
			continue;
		if (read_number(name, &launcher->n_ranks) != 0)
			launcher->n_ranks = 0;
	}
	if (launcher->n_ranks <= launcher->rank)
		launcher->n_ranks = 0;
}

static void read_job(struct launcher *launcher, const struct source *source)
{
	const char *forced = getenv("OMPPROF_JOB");
	const char *first = source->job[0] ? getenv(source->job[0]) : NULL;
	const char *second = source->job[1] ? getenv(source->job[1]) : NULL;

	if (forced && forced[0])
		snprintf(launcher->job, sizeof(launcher->job), "OMPPROF_JOB %s", forced);
	else if (first && first[0])
		snprintf(launcher->job, sizeof(launcher->job), "%s %s%s%s", source->job[0], first,
			second ? "." : "", second ? second : "");
}

void launcher_read(struct launcher *launcher)
{
	*launcher = (struct launcher){ 0 };
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		const struct source *source = &sources[i];

		if ((is_from_slurm(source->rank) && !is_slurm_step()) ||
			read_number(source->rank, &launcher->rank) != 0)
			continue;
		launcher->has_rank = 1;
		launcher->variable = source->rank;
		read_size(launcher, source);
		read_job(launcher, source);
		/* Open MPI without PMIx names the job in a variable of its own. */
		if (i == 0 && !launcher->job[0])
			read_job(
				launcher, &(struct source){ .job = { "OMPI_MCA_ess_base_jobid" } });
		return;
	}
}
