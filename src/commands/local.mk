# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/cmd_annotate.c \
	%D%/cmd_diff.c \
	%D%/cmd_doctor.c \
	%D%/cmd_export.c \
	%D%/cmd_help.c \
	%D%/cmd_history.c \
	%D%/cmd_info.c \
	%D%/cmd_merge.c \
	%D%/cmd_report.c \
	%D%/cmd_run.c \
	%D%/cmd_scale.c \
	%D%/cmd_top.c \
	%D%/cmd_why.c \
	%D%/command.h \
	%D%/command_table.c \
	%D%/help_page.c \
	%D%/report_summary.c

# Completion in bash: completion.bash, and what the tables of options say. It is loaded by the name
# of the command. A program of the build says what is in the tables, so a cross build needs CROSS_RUN.
EXTRA_DIST += %D%/completion.bash
if MAKE_BASH_COMPLETION
noinst_PROGRAMS += %D%/completion_tables
%C%_completion_tables_SOURCES = %D%/completion_tables.c
%C%_completion_tables_LDADD = $(ompprof_LDADD)
bashcompletiondir = $(BASH_COMPLETION_DIR)
nodist_bashcompletion_DATA = bash-completion/ompprof
CLEANFILES += bash-completion/ompprof

bash-completion/ompprof: %D%/completion.bash %D%/completion_tables$(EXEEXT)
	$(AM_V_at)$(MKDIR_P) bash-completion
	$(AM_V_GEN)$(CROSS_RUN) %D%/completion_tables$(EXEEXT) >$@.tmp && \
		cat $(srcdir)/%D%/completion.bash $@.tmp >$@ && rm $@.tmp
endif
