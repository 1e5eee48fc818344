# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/cache.c \
	%D%/cache.h \
	%D%/cache_file.c \
	%D%/cache_internal.h \
	%D%/cache_write.c \
	%D%/demangle.c \
	%D%/demangle.h \
	%D%/source.c \
	%D%/source.h \
	%D%/source_find.c \
	%D%/source_match.c \
	%D%/source_match.h \
	%D%/symbols.c \
	%D%/symbols.h \
	%D%/symbols_cache.c \
	%D%/symbols_code.c \
	%D%/symbols_code.h \
	%D%/symbols_dwarf.c \
	%D%/symbols_dwarf.h \
	%D%/symbols_elf.c \
	%D%/symbols_elf.h \
	%D%/symbols_file.c \
	%D%/symbols_file.h \
	%D%/symbols_find.c \
	%D%/symbols_internal.h \
	%D%/symbols_line.c \
	%D%/symbols_md5.c \
	%D%/symbols_memo.c \
	%D%/symbols_names.c \
	%D%/symbols_names.h \
	%D%/symbols_plt.c \
	%D%/symbols_range.c \
	%D%/symbols_strings.c \
	%D%/symbols_strings.h \
	%D%/symbols_unit.c \
	%D%/symbols_variable.c
