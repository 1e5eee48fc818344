/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers where walks were not exact; see sightings.h. */
#include "tests/walker/sightings.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#define MAX_SIGHTINGS 512
#define NAME_BYTES    40

/* Frames of an example: the one before the fault, the fault, and one after. */
#define EXAMPLE_FRAMES 3

struct place {
	uint64_t ip;
	uint64_t offset; /* in the object */
	char object[NAME_BYTES];
};

struct sighting {
	long count;
	struct judgement judgement;
	const char *variant;
	struct place first; /* where the thread stood */
	struct place fault; /* the frame whose rules were wrong or missing */
	uint32_t end, n, n_true;
	struct walk_frame walked[EXAMPLE_FRAMES];
	struct shadow_frame truth[EXAMPLE_FRAMES];
};

static struct {
	atomic_flag is_taken;
	uint32_t n;
	long n_dropped;
	struct sighting sighting[MAX_SIGHTINGS];
} sightings = { .is_taken = ATOMIC_FLAG_INIT };

/* The object is named now: it may be gone at the end. */
static void place_init(struct place *place, uint64_t ip)
{
	struct dl_find_object object;
	const char *name;

	*place = (struct place){ .ip = ip, .offset = ip, .object = "?" };
	if (_dl_find_object((void *)(uintptr_t)ip, &object) != 0)
		return;
	name = strrchr(object.dlfo_link_map->l_name, '/');
	name = name ? name + 1 : object.dlfo_link_map->l_name;
	strncpy(place->object, *name ? name : "program", NAME_BYTES - 1);
	place->offset = ip - object.dlfo_link_map->l_addr;
}

static void keep_example(
	struct sighting *s, const struct walk_path *path, const struct shadow_path *truth)
{
	uint32_t from = s->judgement.at > 0 ? s->judgement.at - 1 : 0;

	s->end = path->end;
	s->n = path->n;
	s->n_true = truth->n;
	for (uint32_t i = 0; i < EXAMPLE_FRAMES; i++) {
		if (from + i < path->n)
			s->walked[i] = path->frame[from + i];
		if (from + i < truth->n)
			s->truth[i] = truth->frame[from + i];
	}
}

/* The sighting of this kind and frame, a new one if there is none; NULL: there is no room. */
static struct sighting *find(const struct judgement *judgement, uint64_t ip, const char *variant)
{
	struct sighting *s = sightings.sighting, *end = s + sightings.n;

	while (s < end && (s->fault.ip != ip || s->judgement.verdict != judgement->verdict ||
				  s->judgement.cause != judgement->cause || s->variant != variant))
		s++;
	if (s < end)
		return s;
	if (sightings.n == MAX_SIGHTINGS)
		return NULL;
	sightings.n++;
	*s = (struct sighting){ .judgement = *judgement, .variant = variant };
	place_init(&s->fault, ip);
	return s;
}

void sighting_note(const struct walk_path *path, const struct shadow_path *truth,
	const struct judgement *judgement, const char *variant)
{
	uint32_t fault = judgement->at > 0 ? judgement->at - 1 : 0;
	struct sighting *s;

	while (atomic_flag_test_and_set(&sightings.is_taken))
		__builtin_ia32_pause();
	s = find(judgement, truth->frame[fault < truth->n ? fault : 0].ip, variant);
	if (!s) {
		sightings.n_dropped++;
	} else if (s->count++ == 0) {
		place_init(&s->first, path->n > 0 ? path->frame[0].ip : 0);
		keep_example(s, path, truth);
	}
	atomic_flag_clear(&sightings.is_taken);
}

static void print_place(FILE *out, const struct place *place)
{
	Dl_info info = { 0 };

	dladdr((void *)(uintptr_t)place->ip, &info);
	fprintf(out, " %s+%#lx", place->object, place->offset);
	if (info.dli_sname)
		fprintf(out, " %s+%#lx", info.dli_sname, place->ip - (uintptr_t)info.dli_saddr);
}

static void print_example(FILE *out, const struct sighting *s)
{
	fprintf(out, "  stood at");
	print_place(out, &s->first);
	fprintf(out, "; frame %u of %u, walked %u, end %u\n", s->judgement.at, s->n_true, s->n,
		s->end);
	for (int i = 0; i < EXAMPLE_FRAMES; i++)
		fprintf(out, "  true %#lx cfa %#lx how %d; walked %#lx cfa %#lx how %d\n",
			s->truth[i].ip, s->truth[i].cfa, s->truth[i].how, s->walked[i].ip,
			s->walked[i].cfa, s->walked[i].how);
}

void sightings_print(FILE *out)
{
	for (uint32_t i = 0; i < sightings.n; i++) {
		const struct sighting *s = &sightings.sighting[i];

		fprintf(out, "at %s %s %s %ld", s->variant,
			judge_verdict_names[s->judgement.verdict],
			judge_cause_names[s->judgement.cause], s->count);
		print_place(out, &s->fault);
		fprintf(out, "\n");
		if (s->judgement.cause == CAUSE_NONE || s->judgement.verdict == JUDGE_GUESS_WRONG)
			print_example(out, s);
	}
	if (sightings.n_dropped)
		fprintf(out, "at more places: %ld\n", sightings.n_dropped);
}
