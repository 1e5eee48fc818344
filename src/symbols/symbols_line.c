/* SPDX-License-Identifier: Apache-2.0 */
/* Names source files and searches a unit's line table; see symbols_dwarf.h. */
#include "src/symbols/symbols_dwarf.h"

#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static int is_below(const char *file, const char *dir)
{
	size_t n = strlen(dir);

	return strncmp(file, dir, n) == 0 && file[n] == '/';
}

/*
 * libdw may already have put the directory in front of the file, which can be seen if the directory
 * is relative, as in packages built with -fdebug-prefix-map.
 */
const char *source_path(struct strings *strings, Dwarf_Die *cu, const char *file)
{
	Dwarf_Attribute attr;
	char path[PATH_MAX];
	const char *dir;

	if (!file || !*file)
		return "";
	if (*file == '/')
		return strings_intern(strings, file);
	dir = dwarf_formstring(dwarf_attr_integrate(cu, DW_AT_comp_dir, &attr));
	if (!dir || is_below(file, dir) ||
		(size_t)snprintf(path, sizeof(path), "%s/%s", dir, file) >= sizeof(path))
		return strings_intern(strings, file);
	return strings_intern(strings, path);
}

const char *source_file(struct strings *strings, Dwarf_Attribute *attr)
{
	Dwarf_Word number;
	Dwarf_Files *files;
	size_t n_files;
	Dwarf_Die cu;

	if (!attr || dwarf_formudata(attr, &number) != 0 ||
		!dwarf_cu_die(attr->cu, &cu, NULL, NULL, NULL, NULL, NULL, NULL) ||
		dwarf_getsrcfiles(&cu, &files, &n_files) != 0 || number >= n_files)
		return "";
	return source_path(strings, &cu, dwarf_filesrc(files, number, NULL, NULL));
}

static uint64_t row_addr(Dwarf_Lines *lines, size_t i)
{
	Dwarf_Addr addr;

	return dwarf_lineaddr(dwarf_onesrcline(lines, i), &addr) == 0 ? addr : 0;
}

static int row_line(Dwarf_Lines *lines, size_t i)
{
	int line;

	return dwarf_lineno(dwarf_onesrcline(lines, i), &line) == 0 ? line : 0;
}

static int ends_sequence(Dwarf_Lines *lines, size_t i)
{
	bool is_end;

	return dwarf_lineendsequence(dwarf_onesrcline(lines, i), &is_end) != 0 || is_end;
}

/* The number of rows at or before `addr`. libdw keeps the rows sorted by address. */
static size_t rows_until(Dwarf_Lines *lines, size_t n, uint64_t addr)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (row_addr(lines, middle) <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether row `i` has a line and its code belongs to the same function as `piece`. */
static int is_of_function(
	const struct unit *unit, const struct unit_piece *piece, Dwarf_Lines *lines, size_t i)
{
	const struct unit_piece *other = unit_find(unit, row_addr(lines, i));

	return row_line(lines, i) != 0 && other && other->function == piece->function;
}

/* Code of line 0 gets the line before it in the same function, or else the line after it. */
static size_t nearest_row(const struct unit *unit, const struct unit_piece *piece,
	Dwarf_Lines *lines, size_t n, size_t row)
{
	size_t i = row;

	while (i > 0 && row_addr(lines, i) > piece->low && !ends_sequence(lines, i - 1))
		if (is_of_function(unit, piece, lines, --i))
			return i;
	for (i = row; i < n && row_addr(lines, i) < piece->high && !ends_sequence(lines, i); i++)
		if (is_of_function(unit, piece, lines, i))
			return i;
	return row;
}

int unit_line(struct unit *unit, uint64_t addr, const struct unit_piece *piece, const char **file,
	uint32_t *line)
{
	Dwarf_Lines *lines;
	size_t n, row;

	if (dwarf_getsrclines(&unit->cu, &lines, &n) != 0)
		return -1;
	row = rows_until(lines, n, addr);
	if (row == 0 || ends_sequence(lines, row - 1))
		return -1;
	row--;
	if (piece && row_line(lines, row) == 0)
		row = nearest_row(unit, piece, lines, n, row);
	*file = dwarf_linesrc(dwarf_onesrcline(lines, row), NULL, NULL);
	*line = row_line(lines, row) > 0 ? row_line(lines, row) : 0;
	return 0;
}

/* The first row at `addr`, or the last row before it. An end row is of the code before it. */
static size_t first_row(Dwarf_Lines *lines, size_t n, uint64_t addr)
{
	size_t row = rows_until(lines, n, addr);

	row -= row > 0;
	while (row > 0 && row_addr(lines, row - 1) == addr && !ends_sequence(lines, row - 1))
		row--;
	return row;
}

void unit_extent(struct unit *unit, uint64_t low, uint64_t high, const char **file, uint32_t *first,
	uint32_t *last)
{
	const struct unit_piece *piece = unit_find(unit, low);
	const char *own = NULL;
	Dwarf_Lines *lines;
	size_t n;

	if (!piece || dwarf_getsrclines(&unit->cu, &lines, &n) != 0)
		return;
	for (size_t row = first_row(lines, n, low); row < n && row_addr(lines, row) < high; row++) {
		const char *name = dwarf_linesrc(dwarf_onesrcline(lines, row), NULL, NULL);
		uint32_t line = row_line(lines, row) > 0 ? row_line(lines, row) : 0;

		if (!name || !is_of_function(unit, piece, lines, row))
			continue;
		if (!own) {
			*file = own = name;
			*first = line;
		}
		if (line > *last && strcmp(name, own) == 0)
			*last = line;
	}
}
