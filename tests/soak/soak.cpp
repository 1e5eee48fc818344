/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak SEED ACTIONS PLUGIN...: as many actions as that, drawn by the seed, one line for each; ends in one
 * of several ways, with a status that the seed decides. SOAK_ONLY in the environment names the only action.
 * soak child SEED: one action, silently; its result, below 100, is the status.
 */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "tests/soak/soak.h"

struct action {
	const char *name;
	uint64_t (*run)(dice);
	int may_be_childs;
};

static const action actions[] = {
	{ "exceptions", soak_exceptions, 1 },
	{ "memory", soak_memory, 1 },
	{ "nested", soak_nested, 1 },
	{ "tasks", soak_tasks, 1 },
	{ "locks", soak_locks, 1 },
	{ "pthreads", soak_pthreads, 1 },
	{ "plugins", soak_plugins, 0 },
	{ "children", soak_children, 0 },
};
static const int n_actions = sizeof actions / sizeof actions[0];

int soak_n_plugins;
char **soak_plugin_paths;
const char *soak_program;

SOAK_KEEP uint64_t soak_churn(uint64_t x, int n)
{
	x |= 1;
	for (int i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

/* Whether SOAK_ONLY leaves this one out. */
static int is_left_out(const action &one)
{
	const char *only = getenv("SOAK_ONLY");

	return only && strcmp(only, one.name) != 0;
}

static int run_child(uint64_t seed)
{
	dice die = { seed };
	const action *chosen;

	do {
		chosen = &actions[die.below(n_actions)];
	} while (!chosen->may_be_childs);
	return static_cast<int>(chosen->run(die) % 100);
}

static void *end_in_thread(void *status)
{
	exit(*static_cast<int *>(status));
}

/* Ends the program in the way drawn; with a return, main's caller does. */
static int end(int way, int status)
{
	pthread_t thread;

	fflush(stdout);
	switch (way) {
	case 0:
		_exit(status);
	case 1:
		quick_exit(status);
	case 2:
		exit(status);
	case 3:
		if (pthread_create(&thread, nullptr, end_in_thread, &status) == 0)
			pthread_join(thread, nullptr);
		break;
	case 4:
		raise(SIGKILL);
		break;
	case 5:
		signal(SIGTERM, SIG_DFL);
		raise(SIGTERM);
		break;
	default:
		break;
	}
	return status;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	omp_set_dynamic(0);
	omp_set_max_active_levels(3);
	soak_program = argv[0];
	if (strcmp(argv[1], "child") == 0)
		return run_child(strtoull(argv[2], nullptr, 10));

	dice die = { strtoull(argv[1], nullptr, 10) };
	int rounds = atoi(argv[2]);

	die.next();
	soak_n_plugins = argc - 3;
	soak_plugin_paths = argv + 3;
	for (int i = 0; i < rounds; i++) {
		const action &chosen = actions[die.below(n_actions)];

		if (is_left_out(chosen))
			continue;
		printf("%s %016llx\n", chosen.name,
			static_cast<unsigned long long>(chosen.run(die.of_item(i))));
	}
	int status = die.below(120);

	return end(die.below(16), status);
}
