/* SPDX-License-Identifier: Apache-2.0 */
/* Makes text of cells; see table_internal.h. */
#include <stdio.h>
#include <string.h>

#include "src/text/table_internal.h"

int table_is_text(enum table_kind kind)
{
	return kind >= TABLE_PATH;
}

static const char *drop_space(char *text)
{
	char *space = strchr(text, ' ');

	if (space)
		memmove(space, space + 1, strlen(space));
	return text;
}

/* The absolute value of a signed number, also of the smallest. */
static uint64_t magnitude(uint64_t value)
{
	return (int64_t)value < 0 ? -value : value;
}

static const char *change_text(char text[CELL_BYTES], uint64_t value)
{
	char number[TEXT_NUMBER_BYTES];

	text_seconds(number, magnitude(value));
	/* A change that is shown as 0 or "<0.001" has no sign. */
	if (value == 0 || number[0] == '<')
		return strcpy(text, number);
	snprintf(text, CELL_BYTES, "%c%s", (int64_t)value < 0 ? '-' : '+', number);
	return text;
}

static const char *number_text(
	char text[CELL_BYTES], enum table_kind kind, const struct table_cell *cell)
{
	switch (kind) {
	case TABLE_SECONDS:
		return text_seconds(text, cell->value);
	case TABLE_DURATION:
		text_duration(text, cell->value);
		return drop_space(text);
	case TABLE_CHANGE:
		return change_text(text, cell->value);
	case TABLE_COUNT:
		return text_count(text, cell->value);
	case TABLE_SHARE:
		return text_percent(text, cell->value, cell->whole);
	case TABLE_RATIO:
		return text_ratio(text, cell->value, cell->whole, 2);
	case TABLE_FACTOR:
		return text_ratio(text, cell->value, cell->whole, 3);
	default:
		snprintf(text, CELL_BYTES, "%llu", (unsigned long long)cell->value);
		return text;
	}
}

const char *table_cell_text(
	char text[CELL_BYTES], enum table_kind kind, const struct table_cell *cell)
{
	text[0] = '~';
	number_text(text + cell->is_estimate, kind, cell);
	return cell->is_there ? text : "";
}

const char *table_cell_csv(
	char text[CELL_BYTES], enum table_kind kind, const struct table_cell *cell)
{
	text[0] = '\0';
	if (!cell->is_there)
		return text;
	switch (kind) {
	case TABLE_SECONDS:
	case TABLE_DURATION:
		return text_exact_seconds(text, cell->value);
	case TABLE_CHANGE:
		text[0] = '-';
		text_exact_seconds(text + ((int64_t)cell->value < 0), magnitude(cell->value));
		return text;
	case TABLE_SHARE:
	case TABLE_RATIO:
	case TABLE_FACTOR:
		return text_exact_share(text, cell->value, cell->whole);
	default:
		snprintf(text, CELL_BYTES, "%llu", (unsigned long long)cell->value);
		return text;
	}
}

void table_clean_name(char clean[NAME_MOST_BYTES], const struct table_cell *cell)
{
	size_t n;

	clean[0] = '\0';
	if (!cell->is_there)
		return;
	text_clean(clean, NAME_MOST_BYTES, cell->before ? cell->before : "");
	n = strlen(clean);
	text_clean(clean + n, NAME_MOST_BYTES - n, cell->text ? cell->text : "");
}
