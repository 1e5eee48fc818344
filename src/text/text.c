/* SPDX-License-Identifier: Apache-2.0 */
/* Makes text of numbers and names; see text.h. */
#include "src/text/text.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* Prints "12.3" for 123 with one decimal. printf's decimal point depends on the locale. */
static const char *print_fixed(char *text, uint64_t value, unsigned decimals, const char *unit)
{
	unsigned long long scale = 1;

	for (unsigned i = 0; i < decimals; i++)
		scale *= 10;
	if (decimals == 0)
		snprintf(text, TEXT_NUMBER_BYTES, "%llu%s", (unsigned long long)value, unit);
	else
		snprintf(text, TEXT_NUMBER_BYTES, "%llu.%0*llu%s", value / scale, (int)decimals,
			value % scale, unit);
	return text;
}

const char *text_seconds(char text[TEXT_NUMBER_BYTES], uint64_t ns)
{
	static const struct {
		uint64_t from_ns, unit_ns;
		unsigned decimals;
	} steps[] = {
		{ 99950000000, 1000000000, 0 },
		{ 9995000000, 100000000, 1 },
		{ 999500000, 10000000, 2 },
		{ 500000, 1000000, 3 },
	};

	if (ns >= 999999500000000)
		return text_count(text, ns / 1000000000);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (ns >= steps[i].from_ns)
			return print_fixed(text,
				ns / steps[i].unit_ns +
					(ns % steps[i].unit_ns >= steps[i].unit_ns / 2),
				steps[i].decimals, "");
	strcpy(text, ns ? "<0.001" : "0");
	return text;
}

const char *text_duration(char text[TEXT_NUMBER_BYTES], uint64_t ns)
{
	static const struct {
		uint64_t below_ns, unit_ns;
		unsigned decimals;
		const char *unit;
	} steps[] = {
		{ 1000, 1, 0, " ns" },
		{ 9995, 10, 2, " us" },
		{ 99950, 100, 1, " us" },
		{ 999500, 1000, 0, " us" },
		{ 9995000, 10000, 2, " ms" },
		{ 99950000, 100000, 1, " ms" },
		{ 999500000, 1000000, 0, " ms" },
		{ 9995000000, 10000000, 2, " s" },
		{ 99950000000, 100000000, 1, " s" },
		{ UINT64_MAX, 1000000000, 0, " s" },
	};
	size_t i = 0;

	while (ns >= steps[i].below_ns && steps[i].below_ns != UINT64_MAX)
		i++;
	return print_fixed(text,
		ns / steps[i].unit_ns +
			(steps[i].unit_ns > 1 && ns % steps[i].unit_ns >= steps[i].unit_ns / 2),
		steps[i].decimals, steps[i].unit);
}

const char *text_percent(char text[TEXT_NUMBER_BYTES], uint64_t part, uint64_t whole)
{
	double tenths = whole ? (double)part * 1000.0 / (double)whole : 0.0;

	/* In a damaged file a part may be more than the whole. */
	return print_fixed(text, tenths < 1e9 ? (uint64_t)(tenths + 0.5) : 1000000000, 1, "");
}

const char *text_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

const char *text_ratio(
	char text[TEXT_NUMBER_BYTES], uint64_t part, uint64_t whole, unsigned decimals)
{
	double scaled = whole ? (double)part / (double)whole : 0.0;

	for (unsigned i = 0; i < decimals; i++)
		scaled *= 10;
	return print_fixed(
		text, scaled < 1e18 ? (uint64_t)(scaled + 0.5) : (uint64_t)1e18, decimals, "");
}

/* Prints a number with its billionths, without zeros at the end. */
static const char *print_exact(char *text, uint64_t whole, uint64_t fraction)
{
	int digits = 9;

	if (!whole && !fraction)
		return strcpy(text, "0.0");
	while (digits > 1 && fraction % 10 == 0) {
		fraction /= 10;
		digits--;
	}
	snprintf(text, TEXT_NUMBER_BYTES, "%llu.%0*llu", (unsigned long long)whole, digits,
		(unsigned long long)fraction);
	return text;
}

const char *text_exact_seconds(char text[TEXT_NUMBER_BYTES], uint64_t ns)
{
	return print_exact(text, ns / 1000000000, ns % 1000000000);
}

const char *text_exact_share(char text[TEXT_NUMBER_BYTES], uint64_t part, uint64_t whole)
{
	uint64_t number = whole ? part / whole : 0, rest = whole ? part % whole : 0;
	uint64_t fraction = whole ? (uint64_t)((double)rest / (double)whole * 1e9 + 0.5) : 0;

	return print_exact(text, number + fraction / 1000000000, fraction % 1000000000);
}

const char *text_count(char text[TEXT_NUMBER_BYTES], uint64_t count)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P", "E" };
	uint64_t scale = 1;
	size_t unit = 0;

	if (count < 100000)
		return print_fixed(text, count, 0, "");
	while (count / scale >= 1000) {
		scale *= 1000;
		unit++;
	}
	unsigned decimals = count / scale >= 100 ? 0 : count / scale >= 10 ? 1 : 2;
	uint64_t step = scale;
	for (unsigned i = 0; i < decimals; i++)
		step /= 10;
	return print_fixed(text, count / step, decimals, units[unit]);
}

size_t text_decode(const char *text, uint32_t *code)
{
	const unsigned char *byte = (const unsigned char *)text;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = byte[0] < 0x80   ? 1
		   : byte[0] < 0xc2 ? 0
		   : byte[0] < 0xe0 ? 2
		   : byte[0] < 0xf0 ? 3
		   : byte[0] < 0xf5 ? 4
				    : 0;

	if (n < 2) {
		*code = byte[0];
		return n;
	}
	*code = byte[0] & (0xff >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (byte[i] & 0x3f);
	}
	if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return n;
}

/* Whether a character may move the cursor or change colours or the direction of text. */
static int is_harmful(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
	       code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb);
}

/* The columns of a character in the C library's table of Unicode, whatever the command's locale. */
static size_t code_width(uint32_t code)
{
	static locale_t unicode;
	locale_t before;
	int width;

	if (code < 0x7f)
		return 1;
	if (!unicode)
		unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	if (!unicode)
		return 1;
	before = uselocale(unicode);
	width = wcwidth((wchar_t)code);
	uselocale(before);
	return width < 0 ? 1 : (size_t)width;
}

void text_clean(char *clean, size_t clean_bytes, const char *name)
{
	size_t to = 0;

	while (*name) {
		uint32_t code;
		size_t n = text_decode(name, &code);
		int bad = n == 0 || is_harmful(code);

		if (to + (bad ? 1 : n) >= clean_bytes)
			break;
		if (bad)
			clean[to++] = '?';
		else
			memcpy(clean + to, name, n), to += n;
		name += n ? n : 1;
	}
	clean[to] = '\0';
}

static size_t prefix_width(const char *text, size_t n_bytes)
{
	const char *end = text + n_bytes;
	size_t width = 0;

	while (text < end) {
		uint32_t code;
		size_t n = text_decode(text, &code);
		width += n ? code_width(code) : 1;
		text += n ? n : 1;
	}
	return width;
}

size_t text_width(const char *text)
{
	return prefix_width(text, strlen(text));
}

/* The bytes of the longest beginning of `text` that takes at most `width` columns. */
static size_t prefix_bytes(const char *text, size_t width)
{
	size_t bytes = 0;

	while (text[bytes]) {
		uint32_t code;
		size_t n = text_decode(text + bytes, &code);
		size_t columns = n ? code_width(code) : 1;
		if (columns > width)
			break;
		width -= columns;
		bytes += n ? n : 1;
	}
	return bytes;
}

void text_shorten(char *text, size_t width)
{
	size_t total = text_width(text);
	size_t head, tail;

	if (total <= width)
		return;
	if (width < 5) {
		text[prefix_bytes(text, width)] = '\0';
		return;
	}
	/* Ends of names differ more often than their begins. */
	head = prefix_bytes(text, (width - 2) / 2);
	tail = prefix_bytes(text, total - (width - 2 - (width - 2) / 2));
	while (text[tail] && text_width(text + tail) > width - 2 - (width - 2) / 2)
		tail += prefix_bytes(text + tail, 2);
	memmove(text + head + 2, text + tail, strlen(text + tail) + 1);
	memcpy(text + head, "..", 2);
}

/* The offset of the first character in front of which there are at least `columns` columns. */
static size_t byte_after(const char *text, size_t columns)
{
	size_t at = prefix_bytes(text, columns);

	while (text[at] && text_width(text) - text_width(text + at) < columns)
		at += prefix_bytes(text + at, 2);
	return at;
}

/* Keeps the begin, a part around byte `at` and the end; parts that meet are joined. */
void text_shorten_at(char *text, size_t width, size_t at)
{
	enum { PIECE_LEAST = 3 };
	size_t total = text_width(text), end = strlen(text);
	size_t before = total - text_width(text + (at < end ? at : end));
	size_t outer, middle, from, to;

	if (total <= width)
		return;
	if (width < 4 * PIECE_LEAST + 4) {
		text_shorten(text, width);
		return;
	}
	outer = (width - 4) / 4;
	middle = width - 4 - 2 * outer;
	from = before > middle / 3 ? before - middle / 3 : 0;
	if (from <= outer + 2) {
		/* The beginning shows byte `at`. */
		to = byte_after(text, total - outer);
		from = prefix_bytes(text, outer + middle + 2);
	} else if (from + middle + 2 + outer >= total) {
		/* The end shows byte `at`. */
		to = byte_after(text, total - outer - middle - 2);
		from = prefix_bytes(text, outer);
	} else {
		size_t head = prefix_bytes(text, outer), first = byte_after(text, from);
		size_t last = first + prefix_bytes(text + first, middle);

		to = byte_after(text, total - outer);
		memmove(text + head, "..", 2);
		memmove(text + head + 2, text + first, last - first);
		from = head + 2 + (last - first);
	}
	memmove(text + from + 2, text + to, strlen(text + to) + 1);
	memcpy(text + from, "..", 2);
}

void text_cut(char *text, size_t width)
{
	if (text_width(text) > width && width >= 2)
		strcpy(text + prefix_bytes(text, width - 2), "..");
}

static void break_line(FILE *out, unsigned indent)
{
	if (out)
		fprintf(out, "\n%*s", (int)indent, "");
}

size_t text_put(FILE *out, const char *text, struct text_lines lines)
{
	size_t width = lines.width > 20 ? (size_t)lines.width : 20;
	size_t column = lines.column, n_lines = 1;

	for (int is_first = 1; *text; is_first = 0) {
		size_t n = strcspn(text, " "), columns = prefix_width(text, n);
		int is_full = !is_first && column + 1 + columns > width;

		if (is_full)
			break_line(out, lines.indent);
		else if (!is_first && out)
			fputc(' ', out);
		if (out)
			fprintf(out, "%.*s", (int)n, text);
		n_lines += (size_t)is_full;
		column = (is_full ? lines.indent : column + !is_first) + columns;
		text += n + strspn(text + n, " ");
	}
	if (out)
		fputc('\n', out);
	return n_lines;
}
