/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes sure that names which are cut still differ; see table_internal.h. The look of a row is its
 * text after the middle of its name is cut. The table notes a hash of the look and a hash of the
 * whole text. If two different rows have the same look, each row shows the part of its name in
 * which they differ, or its place if only the places differ. Rows that still look the same get a
 * number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/hash.h"
#include "src/text/table_internal.h"

enum { PLACE_COLUMNS = 26, PLACE_LEAST = 8, NAME_COLUMNS_LEAST = 24, AFTER_BYTES = 300 };

/* The rows with a look. A row that owns the look shows it as it is. */
struct alike {
	uint64_t look, whole; /* whole: of the first row; look 0: empty */
	size_t first, other;  /* other: the first row whose whole, with its identity, differs */
	uint64_t owner;       /* the whole of the row that owns the look; 0: none yet */
	uint32_t last;        /* the highest number of other rows with the look */
};

/* The number of a row whose look another row owns. */
struct number {
	uint64_t look, whole; /* 0: empty */
	uint32_t number;
};

struct table_names {
	struct alike *alikes;
	struct number *numbers;
	size_t mask; /* for each of the two tables */
	int has_numbers;
	struct table_look scratch;
};

/* How a row's name and place are cut. */
struct way {
	size_t differs_at; /* byte of the clean name that must be visible, or SIZE_MAX */
	int wants_place;   /* the place gets half of the width */
	uint32_t number;   /* printed behind the name; 0: no number */
};

static const struct way plain_way = { .differs_at = SIZE_MAX };

/* The last step of FNV mixes only few bits, and tables are indexed by the low bits. */
static uint64_t finish_hash(uint64_t hash)
{
	hash ^= hash >> 32;
	return hash ? hash : 1;
}

static uint64_t hash_look(const struct table_look *look)
{
	return finish_hash(hash_text(hash_text(HASH_START, look->name), look->place));
}

static uint64_t hash_whole(const struct table_row *row, const struct table_space *space)
{
	uint64_t hash = HASH_START ^ row->identity;
	int columns[] = { space->name, space->place };

	for (size_t i = 0; i < 2; i++) {
		const struct table_cell *cell = columns[i] < 0 ? NULL : &row->cells[columns[i]];

		if (!cell || !cell->is_there)
			continue;
		hash = hash_text(hash, cell->before);
		hash = hash_text(hash, cell->text);
		hash = hash_text(hash, cell->after);
	}
	return finish_hash(hash);
}

static void cut_name(char *name, const char *after, size_t width, const struct way *way)
{
	size_t n_after = text_width(after);
	/* The text behind a name keeps its room if that leaves half of it for the name. */
	size_t room = n_after * 2 <= width ? width - n_after : width;
	size_t n;

	if (text_width(name) + n_after <= width)
		room = width - n_after;
	if (way->differs_at == SIZE_MAX)
		text_shorten(name, room);
	else
		text_shorten_at(name, room, way->differs_at);
	n = strlen(name);
	snprintf(name + n, NAME_MOST_BYTES - n, "%s", after);
	text_shorten(name, width);
}

/* Cuts the place to what a name of `name_width` columns leaves, or removes it. */
static void cut_place(char *place, size_t width, size_t name_width, const struct way *way)
{
	size_t left = width > name_width + 1 ? width - name_width - 1 : 0;
	size_t room = terminal_is_endless(width) ? left : PLACE_COLUMNS;

	if (way->wants_place) {
		text_shorten(place, width / 2);
		return;
	}
	if (left >= PLACE_LEAST && left < room)
		room = left;
	text_shorten(place, room);
	/* A place that would cut a whole name is removed; it may stay beside a cut name. */
	if (text_width(place) > left &&
		(name_width <= width || width < NAME_COLUMNS_LEAST + text_width(place) + 1))
		place[0] = '\0';
}

static void make_look(const struct table_row *row, const struct table_space *space,
	const struct way *way, struct table_look *look)
{
	const struct table_cell *name = &row->cells[space->name];
	char after[AFTER_BYTES], number[16] = "";
	size_t width = space->width;

	table_clean_name(look->name, name);
	text_clean(after, sizeof(after) - sizeof(number),
		name->is_there && name->after ? name->after : "");
	if (way->number)
		snprintf(number, sizeof(number), " #%u", way->number);
	strcat(after, number);
	look->place[0] = '\0';
	if (space->place >= 0 && row->cells[space->place].is_there) {
		text_clean(look->place, sizeof(look->place), row->cells[space->place].text);
		cut_place(look->place, width, text_width(look->name) + text_width(after), way);
		width -= look->place[0] ? text_width(look->place) + 1 : 0;
	}
	cut_name(look->name, after, width, way);
}

struct table_names *table_names_new(size_t n_rows)
{
	struct table_names *names = calloc(1, sizeof(*names));
	size_t size = 16;

	while (size < n_rows * 4 + 2)
		size *= 2;
	if (!names)
		return NULL;
	names->alikes = calloc(size, sizeof(*names->alikes));
	names->numbers = calloc(size, sizeof(*names->numbers));
	names->mask = size - 1;
	if (!names->alikes || !names->numbers) {
		table_names_free(names);
		return NULL;
	}
	return names;
}

void table_names_free(struct table_names *names)
{
	if (!names)
		return;
	free(names->alikes);
	free(names->numbers);
	free(names);
}

int table_names_has_numbers(const struct table_names *names)
{
	return names->has_numbers;
}

static struct alike *find_alike(const struct table_names *names, uint64_t look)
{
	size_t at = look & names->mask;

	while (names->alikes[at].look && names->alikes[at].look != look)
		at = (at + 1) & names->mask;
	return &names->alikes[at];
}

void table_names_note(struct table_names *names, size_t index, const struct table_row *row,
	const struct table_space *space)
{
	uint64_t whole = hash_whole(row, space), look;
	struct alike *alike;

	make_look(row, space, &plain_way, &names->scratch);
	look = hash_look(&names->scratch);
	alike = find_alike(names, look);
	if (!alike->look)
		*alike = (struct alike){ look, whole, index, TABLE_NO_ROW, 0, 1 };
	else if (alike->whole != whole && alike->other == TABLE_NO_ROW)
		alike->other = index;
}

/*
 * Chooses how to cut a row that looks like `other` but is another row: so that the first difference
 * of their names shows, or else their places.
 */
static struct way tell_apart(struct table_names *names, const struct table_row *row,
	const struct table_row *other, const struct table_space *space)
{
	char *left = names->scratch.name;
	char *right = malloc(NAME_MOST_BYTES);
	struct way way = plain_way;
	size_t at = 0;

	table_clean_name(left, &row->cells[space->name]);
	if (right) {
		table_clean_name(right, &other->cells[space->name]);
		while (left[at] && left[at] == right[at])
			at++;
		if (left[at] || right[at])
			way.differs_at = at;
		else
			way.wants_place = 1;
	}
	free(right);
	return way;
}

/* Returns the entry of a look. If it has no owner yet, `whole` becomes its owner. */
static struct alike *take(struct table_names *names, uint64_t look, uint64_t whole)
{
	struct alike *alike = find_alike(names, look);

	if (!alike->look)
		*alike = (struct alike){ look, whole, TABLE_NO_ROW, TABLE_NO_ROW, 0, 1 };
	if (!alike->owner)
		alike->owner = whole;
	return alike;
}

static struct number *find_number(struct table_names *names, uint64_t look, uint64_t whole)
{
	size_t at = finish_hash(hash_mix(look, whole)) & names->mask;

	while (names->numbers[at].look &&
		(names->numbers[at].look != look || names->numbers[at].whole != whole))
		at = (at + 1) & names->mask;
	return &names->numbers[at];
}

/* Adds a number to a look that another row owns: the number that the row has, or a new one. */
static void number_look(struct table_names *names, const struct table_row *row,
	const struct table_space *space, struct way *way, struct table_look *look)
{
	uint64_t whole = hash_whole(row, space), bare = hash_look(look);
	struct number *number = find_number(names, bare, whole);
	uint32_t last = number->number ? number->number - 1 : take(names, bare, whole)->last;

	do {
		way->number = ++last;
		make_look(row, space, way, look);
	} while (take(names, hash_look(look), whole)->owner != whole);
	if (!number->number)
		take(names, bare, whole)->last = last;
	*number = (struct number){ bare, whole, last };
	names->has_numbers = 1;
}

void table_names_look(struct table_names *names, struct plan *plan, const struct table_row *row,
	const struct table_space *space, struct table_look *look)
{
	uint64_t whole = hash_whole(row, space);
	struct way way = plain_way;
	const struct alike *alike;

	make_look(row, space, &way, look);
	alike = find_alike(names, hash_look(look));
	if (alike->look && alike->other != TABLE_NO_ROW) {
		plan_fill(plan, &plan->other, alike->whole == whole ? alike->other : alike->first);
		way = tell_apart(names, row, &plan->other, space);
		make_look(row, space, &way, look);
	}
	if (take(names, hash_look(look), whole)->owner != whole)
		number_look(names, row, space, &way, look);
}
