/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit's XML and GitHub's annotations; see diff_ci.h. */
#include "src/compare/diff_ci.h"

#include <string.h>
#include <time.h>

#include "src/compare/diff_text.h"
#include "src/text/text.h"

enum { ANNOTATIONS_MOST = 10, TEXT_BYTES = 4096, CHANGE_BYTES = 1024 };

/* Prints clean text. A character of `from` is replaced by the text at its place in `to`. */
static void put_escaped(FILE *out, const char *text, const char *from, const char *const *to)
{
	char clean[TEXT_BYTES];

	text_clean(clean, sizeof(clean), text);
	for (const char *at = clean; *at; at++) {
		const char *found = strchr(from, *at);

		if (found)
			fputs(to[found - from], out);
		else
			fputc(*at, out);
	}
}

/* "+0.300 s imbalance (1.00 -> 1.30 s), parallel in solve_cg" */
static void describe(char *text, size_t text_bytes, const struct diff_row *row)
{
	char change[TEXT_NUMBER_BYTES], before[TEXT_NUMBER_BYTES], after[TEXT_NUMBER_BYTES];

	snprintf(text, text_bytes, "%s s %s (%s -> %s s), %s",
		diff_signed_seconds(change, row->value.change_ns), report_cause_word(row->cause),
		text_seconds(before, row->value.before_ns),
		text_seconds(after, row->value.after_ns), diff_place(row->pair)->what);
}

/* Finds the next place, from index *i on, that is surely worse; NULL past the last. */
static const struct diff_row *next_worse(const struct diff *diff, size_t *i)
{
	while (*i < diff->n_rows) {
		const struct diff_row *row = &diff->rows[(*i)++];

		if (!row->is_hidden && row->cause != METRICS_USEFUL && row->value.change_ns > 0)
			return row;
	}
	return NULL;
}

static void put_xml(FILE *out, const char *text)
{
	static const char *const to[] = { "&amp;", "&lt;", "&gt;", "&quot;" };

	put_escaped(out, text, "&<>\"", to);
}

static void put_attribute(FILE *out, const char *name, const char *text)
{
	fprintf(out, " %s=\"", name);
	put_xml(out, text);
	fputc('"', out);
}

static void put_case(FILE *out, const struct diff *diff, const struct diff_judgement *judgement)
{
	char seconds[TEXT_NUMBER_BYTES];

	fputs("    <testcase", out);
	put_attribute(out, "name", judgement->condition.text);
	put_attribute(out, "classname", diff->after->program);
	fprintf(out, " time=\"%s\"", text_exact_seconds(seconds, diff->after->wall_ns));
	if (judgement->is_known && !judgement->holds) {
		fputs("/>\n", out);
		return;
	}
	fprintf(out, ">\n      <%s", judgement->is_known ? "failure" : "error");
	put_attribute(out, "message", judgement->why);
	fputs(" type=\"condition\"/>\n    </testcase>\n", out);
}

static void put_suite(
	FILE *out, const struct diff *diff, size_t n, size_t n_failures, size_t n_errors)
{
	time_t begun = (time_t)(diff->after->begun_ns / 1000000000);
	const char *name = diff->after->command[0] ? diff->after->command : diff->after->program;
	char seconds[TEXT_NUMBER_BYTES], date[64] = "1970-01-01T00:00:00";
	struct tm tm;

	if (gmtime_r(&begun, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	fputs("  <testsuite id=\"0\" package=\"ompprof\"", out);
	put_attribute(out, "name", name[0] ? name : "ompprof");
	put_attribute(out, "hostname", diff->after->host[0] ? diff->after->host : "localhost");
	fprintf(out,
		" timestamp=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%s\">\n",
		date, n, n_failures, n_errors, text_exact_seconds(seconds, diff->after->wall_ns));
}

void diff_put_junit(const struct diff *diff, const struct diff_judgement *judgements,
	size_t n_judgements, FILE *out)
{
	size_t n_failures = 0, n_errors = 0, at = diff_is_comparable(diff) ? 0 : diff->n_rows;
	const struct diff_row *row;
	char text[CHANGE_BYTES];

	for (size_t i = 0; i < n_judgements; i++) {
		n_failures += judgements[i].is_known && judgements[i].holds;
		n_errors += !judgements[i].is_known;
	}
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
	put_suite(out, diff, n_judgements, n_failures, n_errors);
	fputs("    <properties/>\n", out);
	for (size_t i = 0; i < n_judgements; i++)
		put_case(out, diff, &judgements[i]);
	fputs("    <system-out>", out);
	for (size_t i = 0; i < ANNOTATIONS_MOST && (row = next_worse(diff, &at)); i++) {
		describe(text, sizeof(text), row);
		put_xml(out, text);
		fputc('\n', out);
	}
	fputs("</system-out>\n    <system-err/>\n  </testsuite>\n</testsuites>\n", out);
}

/* A value of a property also has to keep its colons and commas apart from the command's own. */
static void put_property(FILE *out, const char *text)
{
	static const char *const to[] = { "%25", "%3A", "%2C" };

	put_escaped(out, text, "%:,", to);
}

static void put_data(FILE *out, const char *text)
{
	static const char *const to[] = { "%25" };

	put_escaped(out, text, "%", to);
	fputc('\n', out);
}

void diff_put_github(const struct diff *diff, const struct diff_judgement *judgements,
	size_t n_judgements, FILE *out)
{
	const struct diff_row *row;
	char text[CHANGE_BYTES];
	size_t at = diff_is_comparable(diff) ? 0 : diff->n_rows;

	for (size_t i = 0; diff_warning(diff, i, text, sizeof(text)); i++) {
		fputs("::notice title=ompprof diff::", out);
		put_data(out, text);
	}
	for (size_t i = 0; i < n_judgements; i++) {
		const struct diff_judgement *judgement = &judgements[i];

		if (judgement->is_known && !judgement->holds && !judgement->is_unsure)
			continue;
		fprintf(out, "::%s title=", judgement->is_unsure ? "warning" : "error");
		put_property(out, judgement->condition.text);
		fputs("::", out);
		put_data(out, judgement->why);
	}
	for (size_t i = 0; i < ANNOTATIONS_MOST && (row = next_worse(diff, &at)); i++) {
		const struct diff_place *place = diff_place(row->pair);

		fputs("::warning ", out);
		if (place->line) {
			fputs("file=", out);
			put_property(out, place->path);
			fprintf(out, ",line=%u,", place->line);
		}
		fputs("title=ompprof diff::", out);
		describe(text, sizeof(text), row);
		put_data(out, text);
	}
}
