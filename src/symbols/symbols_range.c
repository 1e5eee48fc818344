/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the extent of a function's code and the MD5 of its source file; see symbols.h. */
#include "src/symbols/symbols_internal.h"

int symbols_extent(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	struct symbols_extent *extent)
{
	struct object *object = symbols_find_object(symbols, wanted);
	const struct elf_symbol *found =
		object && object->file.main.elf ? symbols_find_elf(symbols, object, addr) : NULL;
	uint32_t first = 0;

	if (!found || !*found->name)
		return -1;
	*extent = (struct symbols_extent){
		.low = found->low,
		.high = found->high,
		.name = found->name,
		.file = "",
		.path = object->file.path ? object->file.path : object->path,
		.machine = elf_machine(object->file.main.elf),
	};
	if (object->file.dwarf)
		dwarf_index_extent(&object->index, found->low, found->high, &extent->file, &first,
			&extent->last_line);
	return 0;
}

int symbols_source_md5(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	const char *file, uint8_t md5[16])
{
	struct object *object = symbols_find_object(symbols, wanted);
	Elf *elf = NULL;

	if (object && object->file.dwarf)
		elf = object->file.debug.elf ? object->file.debug.elf : object->file.main.elf;
	return elf ? dwarf_index_md5(&object->index, elf, addr, file, md5) : -1;
}
