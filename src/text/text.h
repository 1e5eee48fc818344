/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text for a person: numbers with a stated precision, and names that are made harmless and cut to a
 * width. No function depends on the locale.
 */
#ifndef OMPPROF_SRC_TEXT_TEXT_H
#define OMPPROF_SRC_TEXT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_NUMBER_BYTES 32

/*
 * Seconds: "54.6", "0.012", "<0.001", "0". At most three significant digits and three decimals;
 * from 100 on whole seconds, from a million on as text_count().
 */
const char *text_seconds(char text[TEXT_NUMBER_BYTES], uint64_t ns);

/*
 * A time with its unit, at most three significant digits: "50 us", "13.2 ms", "1.70 s". From 100 s
 * on whole seconds.
 */
const char *text_duration(char text[TEXT_NUMBER_BYTES], uint64_t ns);

/* A share in percent with one decimal: "41.9"; "0.0" if the whole is 0. */
const char *text_percent(char text[TEXT_NUMBER_BYTES], uint64_t part, uint64_t whole);

/* A count with three significant digits from 100 000 on: "9803", "1.20M", "34.5G". */
const char *text_count(char text[TEXT_NUMBER_BYTES], uint64_t count);

/* The plural ending of a noun: "" if n is 1, else "s". */
const char *text_plural(uint64_t n);

/* part / whole with `decimals` decimals, at most 9: "1.49"; "0.00" if the whole is 0. */
const char *text_ratio(
	char text[TEXT_NUMBER_BYTES], uint64_t part, uint64_t whole, unsigned decimals);

/* For programs: ns as seconds, exactly: "1.5"; part / whole to nine decimals: "0.25". */
const char *text_exact_seconds(char text[TEXT_NUMBER_BYTES], uint64_t ns);
const char *text_exact_share(char text[TEXT_NUMBER_BYTES], uint64_t part, uint64_t whole);

/*
 * Copies `name` to `clean`. Control characters, invisible characters, characters that change the
 * direction of writing and bytes that are not UTF-8 become '?'. Text that does not fit is cut
 * between characters.
 */
void text_clean(char *clean, size_t clean_bytes, const char *name);

/* The columns that valid UTF-8 takes on a terminal. */
size_t text_width(const char *text);

/* Cuts clean text in place to `width` columns; ".." replaces its middle; below 5 its end is cut. */
void text_shorten(char *text, size_t width);

/* As text_shorten(), but with 16 columns or more the text at byte `at` stays visible. */
void text_shorten_at(char *text, size_t width, size_t at);

/*
 * How a sentence is broken into lines: `column` columns of the first line are taken already,
 * `indent` columns of the others stay blank.
 */
struct text_lines {
	int width;
	unsigned column, indent;
};

/* Prints a clean sentence, broken at blanks. Returns the number of lines. `out` may be NULL. */
size_t text_put(FILE *out, const char *text, struct text_lines lines);

/* Cuts a clean sentence in place to `width` columns; ".." replaces its end. */
void text_cut(char *text, size_t width);

/*
 * Reads one character of UTF-8. Returns its length in bytes and sets *code, or returns 0 when the
 * bytes in `text` are not valid (overlong forms, surrogates and values past U+10FFFF included).
 */
size_t text_decode(const char *text, uint32_t *code);

#endif
