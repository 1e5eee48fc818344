/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ljmd: a small molecular dynamics of Lennard-Jones particles in a periodic box, with four faults
 * that OpenMP programs often have. A profile names each of them; --fix mends them one by one:
 *
 *   imbalance  find_neighbours: a triangular loop with a static schedule
 *   lock       add_forces: one critical section around the work of all threads
 *   tasks      measure_order: one thread creates a tiny task for each particle
 *   serial     write_frame: one thread formats what it has computed while the others are idle
 *
 *   ljmd [--fix=imbalance,lock,tasks,serial] [--steps=N] [--side=N] [--times]
 *
 * The line that it prints is the same for every choice of fixes and every number of threads. With --times
 * it is followed by the wall time of each of the four, and of the rest, in seconds.
 */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NEIGHBOURS = 96, FRAME_LINE = 61, BLOCK = 64 };

static const double cutoff = 2.5, skin = 0.3, spacing = 1.06, time_step = 0.002;

struct vector {
	double x, y, z;
};

struct options {
	int side; /* particles along one edge of the box */
	int steps;
	int fix_imbalance, fix_lock, fix_tasks, fix_serial;
	int times;
};

/* The parts of a step: one for each fault, and what has none. */
enum part { IMBALANCE, LOCK, TASKS, SERIAL, REST, N_PARTS };

struct box {
	int n;
	double edge;
	struct vector *position, *velocity, *force;
	double *order;
	int *n_neighbours; /* of each particle, those with a higher number */
	int *neighbour;    /* [n][MAX_NEIGHBOURS] */
	char *frame;       /* [n][FRAME_LINE], the text of the last frame */
	double potential;
};

/* The shortest way from b to a in a periodic box. */
static inline struct vector between(const struct box *box, int a, int b)
{
	const struct vector *p = &box->position[a], *q = &box->position[b];
	double edge = box->edge, half = edge / 2;
	struct vector d = { p->x - q->x, p->y - q->y, p->z - q->z };

	d.x += d.x > half ? -edge : d.x < -half ? edge : 0;
	d.y += d.y > half ? -edge : d.y < -half ? edge : 0;
	d.z += d.z > half ? -edge : d.z < -half ? edge : 0;
	return d;
}

static inline double square(struct vector d)
{
	return d.x * d.x + d.y * d.y + d.z * d.z;
}

static void list_neighbours(struct box *box, int i)
{
	double reach = (cutoff + skin) * (cutoff + skin);
	int *list = &box->neighbour[(size_t)i * MAX_NEIGHBOURS], n = 0;

	for (int j = i + 1; j < box->n; j++) {
		if (square(between(box, i, j)) < reach && n < MAX_NEIGHBOURS)
			list[n++] = j;
	}
	box->n_neighbours[i] = n;
}

/* Particle 0 looks at all others, the last one at none: equal shares of i are unequal work. */
static void find_neighbours(struct box *box, const struct options *options)
{
	if (options->fix_imbalance) {
#pragma omp parallel for schedule(dynamic, 16)
		for (int i = 0; i < box->n; i++)
			list_neighbours(box, i);
	} else {
#pragma omp parallel for schedule(static)
		for (int i = 0; i < box->n; i++)
			list_neighbours(box, i);
	}
}

/* Adds the forces between i and its neighbours to `force`; returns their potential energy. */
static double pair_forces(const struct box *box, int i, struct vector *force)
{
	const int *list = &box->neighbour[(size_t)i * MAX_NEIGHBOURS];
	double energy = 0;

	for (int k = 0; k < box->n_neighbours[i]; k++) {
		struct vector d = between(box, i, list[k]);
		double r2 = square(d);

		if (r2 >= cutoff * cutoff)
			continue;
		double r6 = 1 / (r2 * r2 * r2), strength = 24 * r6 * (2 * r6 - 1) / r2;

		energy += 4 * r6 * (r6 - 1);
		force[i].x += strength * d.x;
		force[i].y += strength * d.y;
		force[i].z += strength * d.z;
		force[list[k]].x -= strength * d.x;
		force[list[k]].y -= strength * d.y;
		force[list[k]].z -= strength * d.z;
	}
	return energy;
}

/* A thread's own forces, added to the common ones when it has all of them. */
static void merge_forces(struct box *box, const struct vector *own)
{
#pragma omp critical(merge)
	for (int i = 0; i < box->n; i++) {
		box->force[i].x += own[i].x;
		box->force[i].y += own[i].y;
		box->force[i].z += own[i].z;
	}
}

static double add_forces_locked(struct box *box)
{
	double energy = 0;

#pragma omp parallel for schedule(static, 1)
	for (int first = 0; first < box->n; first += BLOCK) {
#pragma omp critical(forces)
		for (int i = first; i < first + BLOCK && i < box->n; i++)
			energy += pair_forces(box, i, box->force);
	}
	return energy;
}

static double add_forces_merged(struct box *box)
{
	double energy = 0;

#pragma omp parallel reduction(+ : energy)
	{
		struct vector *own = calloc((size_t)box->n, sizeof(*own));

#pragma omp for schedule(static, BLOCK)
		for (int i = 0; i < box->n; i++)
			energy += pair_forces(box, i, own);
		merge_forces(box, own);
		free(own);
	}
	return energy;
}

static void add_forces(struct box *box, const struct options *options)
{
	memset(box->force, 0, (size_t)box->n * sizeof(*box->force));
	box->potential = options->fix_lock ? add_forces_merged(box) : add_forces_locked(box);
}

/* How evenly the nearest neighbours of i are spread: the length of their summed directions. */
static void order_of(struct box *box, int i)
{
	const int *list = &box->neighbour[(size_t)i * MAX_NEIGHBOURS];
	struct vector sum = { 0, 0, 0 };

	for (int k = 0; k < box->n_neighbours[i] && k < 12; k++) {
		struct vector d = between(box, i, list[k]);
		double r = sqrt(square(d));

		sum.x += d.x / r;
		sum.y += d.y / r;
		sum.z += d.z / r;
	}
	box->order[i] = sqrt(square(sum));
}

static void measure_order(struct box *box, const struct options *options)
{
	int grain = options->fix_tasks ? 256 : 1;

#pragma omp parallel
#pragma omp single
	for (int first = 0; first < box->n; first += grain) {
#pragma omp task firstprivate(first)
		for (int i = first; i < first + grain && i < box->n; i++)
			order_of(box, i);
	}
}

/* Ten characters, right-aligned, with four decimals. */
static void put_number(char *to, double x)
{
	long n = lround(fabs(x) * 1e4);
	int at = 9;

	memset(to, ' ', 10);
	for (; n > 0 || at >= 4; at--) {
		if (at == 5)
			to[at--] = '.';
		to[at] = (char)('0' + n % 10);
		n /= 10;
	}
	if (x < 0)
		to[at] = '-';
}

static void put_vector(char *to, const struct vector *vector)
{
	put_number(to, vector->x);
	put_number(to + 10, vector->y);
	put_number(to + 20, vector->z);
}

static void format_particle(struct box *box, int i)
{
	char *line = box->frame + (size_t)i * FRAME_LINE;

	put_vector(line, &box->position[i]);
	put_vector(line + 30, &box->velocity[i]);
	line[60] = '\n';
}

/* The text stays in memory: the demo measures formatting, not a disk. */
static void write_frame(struct box *box, const struct options *options)
{
	if (options->fix_serial) {
#pragma omp parallel for
		for (int i = 0; i < box->n; i++)
			format_particle(box, i);
	} else {
		for (int i = 0; i < box->n; i++)
			format_particle(box, i);
	}
}

static inline double wrap(double x, double edge)
{
	return x >= edge ? x - edge : x < 0 ? x + edge : x;
}

static void move(struct box *box)
{
#pragma omp parallel for
	for (int i = 0; i < box->n; i++) {
		struct vector *p = &box->position[i], *v = &box->velocity[i];

		v->x += time_step * box->force[i].x;
		v->y += time_step * box->force[i].y;
		v->z += time_step * box->force[i].z;
		p->x = wrap(p->x + time_step * v->x, box->edge);
		p->y = wrap(p->y + time_step * v->y, box->edge);
		p->z = wrap(p->z + time_step * v->z, box->edge);
	}
}

/* A number in [-0.5, 0.5) that depends on `seed` alone (splitmix64). */
static double scatter(uint64_t seed)
{
	uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (double)(x >> 11) / 9007199254740992.0 - 0.5;
}

static void fill(struct box *box, int side)
{
	size_t n = (size_t)side * side * side;

	*box = (struct box){ .n = (int)n, .edge = side * spacing };
	box->position = calloc(n, sizeof(*box->position));
	box->velocity = calloc(n, sizeof(*box->velocity));
	box->force = calloc(n, sizeof(*box->force));
	box->order = calloc(n, sizeof(*box->order));
	box->n_neighbours = calloc(n, sizeof(*box->n_neighbours));
	box->neighbour = calloc(n * MAX_NEIGHBOURS, sizeof(*box->neighbour));
	box->frame = calloc(n, FRAME_LINE);
	for (int i = 0; i < box->n; i++) {
		box->position[i] = (struct vector){ (i % side + 0.5) * spacing,
			(i / side % side + 0.5) * spacing, (i / (side * side) + 0.5) * spacing };
		box->velocity[i] = (struct vector){ scatter(3u * (uint64_t)i),
			scatter(3u * (uint64_t)i + 1), scatter(3u * (uint64_t)i + 2) };
	}
}

static void empty(struct box *box)
{
	free(box->position);
	free(box->velocity);
	free(box->force);
	free(box->order);
	free(box->n_neighbours);
	free(box->neighbour);
	free(box->frame);
}

static int parse(int argc, char **argv, struct options *options)
{
	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--fix=", 6)) {
			options->fix_imbalance = strstr(argv[i], "imbalance") != NULL;
			options->fix_lock = strstr(argv[i], "lock") != NULL;
			options->fix_tasks = strstr(argv[i], "tasks") != NULL;
			options->fix_serial = strstr(argv[i], "serial") != NULL;
		} else if (!strcmp(argv[i], "--times")) {
			options->times = 1;
		} else if (sscanf(argv[i], "--steps=%d", &options->steps) != 1 &&
			   sscanf(argv[i], "--side=%d", &options->side) != 1) {
			return -1;
		}
	}
	return options->steps > 0 && options->side > 5 && options->side < 64 ? 0 : -1;
}

/* Adds what passed since `since` to the part's time; returns the time now. */
static double clock_part(double *part_s, double since)
{
	double now = omp_get_wtime();

	*part_s += now - since;
	return now;
}

static void do_step(struct box *box, const struct options *options, int step, double *part_s)
{
	double now = omp_get_wtime();

	if (step % 5 == 0)
		find_neighbours(box, options);
	now = clock_part(&part_s[IMBALANCE], now);
	add_forces(box, options);
	now = clock_part(&part_s[LOCK], now);
	if (step % 3 == 0)
		measure_order(box, options);
	now = clock_part(&part_s[TASKS], now);
	move(box);
	now = clock_part(&part_s[REST], now);
	write_frame(box, options);
	clock_part(&part_s[SERIAL], now);
}

static void print_times(const double *part_s)
{
	static const char *const names[] = { "imbalance", "lock", "tasks", "serial", "rest" };

	for (int part = 0; part < N_PARTS; part++)
		printf("%-9s %.6f\n", names[part], part_s[part]);
}

int main(int argc, char **argv)
{
	struct options options = { .side = 16, .steps = 200 };
	double part_s[N_PARTS] = { 0 }, order = 0;
	struct box box;

	if (parse(argc, argv, &options)) {
		fprintf(stderr, "usage: ljmd [--fix=imbalance,lock,tasks,serial] [--steps=N] "
				"[--side=N] [--times]\n");
		return 2;
	}
	fill(&box, options.side);
	for (int step = 0; step < options.steps; step++)
		do_step(&box, &options, step, part_s);
	for (int i = 0; i < box.n; i++)
		order += box.order[i];
	printf("ljmd: %d particles, %d steps, energy %.4f, order %.4f\n", box.n, options.steps,
		box.potential, order);
	if (options.times)
		print_times(part_s);
	empty(&box);
	return 0;
}
