# SPDX-License-Identifier: Apache-2.0
# Everything but main.c is a library, so that unit tests can link it.
noinst_LIBRARIES += %D%/libcommand.a
%C%_libcommand_a_SOURCES = \
	%D%/command.h \
	%D%/command_table.c \
	%D%/message.c \
	%D%/message.h \
	%D%/demangle.c \
	%D%/demangle.h \
	%D%/symbols.c \
	%D%/symbols.h \
	%D%/symbols_dwarf.c \
	%D%/symbols_dwarf.h \
	%D%/symbols_elf.c \
	%D%/symbols_elf.h \
	%D%/symbols_file.c \
	%D%/symbols_file.h \
	%D%/symbols_find.c \
	%D%/symbols_line.c \
	%D%/symbols_names.c \
	%D%/symbols_names.h \
	%D%/symbols_plt.c \
	%D%/symbols_strings.c \
	%D%/symbols_strings.h \
	%D%/symbols_unit.c \
	%D%/cmd_info.c \
	%D%/cmd_report.c \
	%D%/info.h \
	%D%/info_cost.c \
	%D%/info_run.c \
