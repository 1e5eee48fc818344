/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parallel region and a league of two teams, with equal work: what the second team does, on a thread
 * that the runtime made, belongs to the teams construct, too.
 */
#include "../work.h"

static NOINLINE void region_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void league_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void make_team(long steps)
{
#pragma omp parallel num_threads(2)
	region_kernel(steps);
}

static NOINLINE long make_league(long steps)
{
	long teams = 0;

#pragma omp teams num_teams(2) thread_limit(1)
	{
		league_kernel(steps);
		if (omp_get_team_num() == 0)
			teams = omp_get_num_teams();
	}
	return teams;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long teams = 0;

	for (int i = 0; i < 5; i++) {
		make_team(20 * unit);
		teams += make_league(20 * unit);
	}
	return work_finish("teams", teams, 10);
}
