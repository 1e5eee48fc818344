# SPDX-License-Identifier: Apache-2.0
# Everything but main.c is a library, so that unit tests can link it.
noinst_LIBRARIES += %D%/libcommand.a
%C%_libcommand_a_SOURCES = \
	%D%/advice.c \
	%D%/advice.h \
	%D%/advice_label.c \
	%D%/advice_list.c \
	%D%/advice_parts.h \
	%D%/advice_region.c \
	%D%/advice_wait.c \
	%D%/annotate.c \
	%D%/annotate.h \
	%D%/annotate_choose.c \
	%D%/annotate_choose.h \
	%D%/annotate_code.c \
	%D%/annotate_code.h \
	%D%/annotate_csv.c \
	%D%/annotate_json.c \
	%D%/annotate_listing.c \
	%D%/annotate_listing.h \
	%D%/annotate_objdump.c \
	%D%/annotate_plan.c \
	%D%/annotate_plan.h \
	%D%/annotate_print.h \
	%D%/annotate_text.c \
	%D%/annotate_text_code.c \
	%D%/cache.c \
	%D%/cache.h \
	%D%/cache_file.c \
	%D%/cache_parts.h \
	%D%/cache_write.c \
	%D%/cmd_annotate.c \
	%D%/cmd_diff.c \
	%D%/cmd_doctor.c \
	%D%/cmd_export.c \
	%D%/cmd_help.c \
	%D%/cmd_info.c \
	%D%/cmd_merge.c \
	%D%/cmd_report.c \
	%D%/cmd_run.c \
	%D%/cmd_scale.c \
	%D%/cmd_top.c \
	%D%/command.h \
	%D%/command_table.c \
	%D%/csv.c \
	%D%/csv.h \
	%D%/demangle.c \
	%D%/demangle.h \
	%D%/diff.c \
	%D%/diff.h \
	%D%/diff_condition.c \
	%D%/diff_condition.h \
	%D%/diff_data.c \
	%D%/diff_data.h \
	%D%/diff_match.c \
	%D%/diff_match.h \
	%D%/diff_places.c \
	%D%/diff_places.h \
	%D%/diff_places_code.c \
	%D%/diff_run.c \
	%D%/diff_run.h \
	%D%/diff_table.c \
	%D%/diff_table.h \
	%D%/diff_table_changes.c \
	%D%/diff_table_functions.c \
	%D%/diff_table_parts.h \
	%D%/diff_table_regions.c \
	%D%/diff_text.c \
	%D%/diff_text.h \
	%D%/diff_warnings.c \
	%D%/doctor.c \
	%D%/doctor.h \
	%D%/doctor_limits.c \
	%D%/doctor_machine.c \
	%D%/doctor_objects.c \
	%D%/doctor_ompt.c \
	%D%/doctor_parts.h \
	%D%/doctor_print.c \
	%D%/doctor_program.c \
	%D%/doctor_report.c \
	%D%/doctor_runtime.c \
	%D%/efficiency.c \
	%D%/efficiency.h \
	%D%/elf_dynamic.c \
	%D%/elf_dynamic.h \
	%D%/elf_versions.c \
	%D%/export.h \
	%D%/export_callgrind.c \
	%D%/export_chrome.c \
	%D%/export_chrome_parts.h \
	%D%/export_chrome_samples.c \
	%D%/export_csv.c \
	%D%/export_firefox.c \
	%D%/export_firefox_markers.c \
	%D%/export_firefox_parts.h \
	%D%/export_firefox_tables.c \
	%D%/export_firefox_threads.c \
	%D%/export_folded.c \
	%D%/export_formats.c \
	%D%/export_frames.c \
	%D%/export_frames.h \
	%D%/export_names.c \
	%D%/export_names.h \
	%D%/export_pprof.c \
	%D%/export_regions.c \
	%D%/export_regions.h \
	%D%/export_speedscope.c \
	%D%/export_sqlite.c \
	%D%/export_svg.c \
	%D%/export_threads.c \
	%D%/export_threads.h \
	%D%/export_tree.c \
	%D%/export_when.c \
	%D%/export_when_buckets.c \
	%D%/export_when_parts.h \
	%D%/export_when.h \
	%D%/figures.c \
	%D%/event_words.c \
	%D%/event_words.h \
	%D%/figures.h \
	%D%/figures_events.c \
	%D%/figures_serial.c \
	%D%/figures_targets.c \
	%D%/figures_tasks.c \
	%D%/figures_wait_names.c \
	%D%/figures_waits.c \
	%D%/filter.c \
	%D%/filter.h \
	%D%/filter_match.c \
	%D%/filter_parts.h \
	%D%/html.h \
	%D%/html_report.c \
	%D%/html_sources.c \
	%D%/html_threads.c \
	%D%/html_write.c \
	%D%/in_order.c \
	%D%/in_order.h \
	%D%/help_page.c \
	%D%/help_page.h \
	%D%/info.h \
	%D%/info_cost.c \
	%D%/info_file.c \
	%D%/info_job.c \
	%D%/info_json.c \
	%D%/info_run.c \
	%D%/info_states.c \
	%D%/installed.c \
	%D%/installed.h \
	%D%/json.c \
	%D%/json.h \
	%D%/loader.c \
	%D%/loader.h \
	%D%/loader_cache.c \
	%D%/merge_files.c \
	%D%/merge_files.h \
	%D%/merge_parts.h \
	%D%/merge_ranks.c \
	%D%/message.c \
	%D%/message.h \
	%D%/names.c \
	%D%/names.h \
	%D%/names_label.c \
	%D%/names_sites.c \
	%D%/names_sites.h \
	%D%/names_labels.c \
	%D%/names_labels.h \
	%D%/names_store.c \
	%D%/names_twins.c \
	%D%/options.c \
	%D%/own_cost.c \
	%D%/own_cost.h \
	%D%/own_files.c \
	%D%/own_files.h \
	%D%/phases.c \
	%D%/phases.h \
	%D%/options.h \
	%D%/options_help.c \
	%D%/own_stack.c \
	%D%/own_stack.h \
	%D%/progress.c \
	%D%/progress.h \
	%D%/report.h \
	%D%/report_criticals.c \
	%D%/report_filter.c \
	%D%/report_found.c \
	%D%/report_hosts.c \
	%D%/report_job.c \
	%D%/report_job.h \
	%D%/report_job_load.c \
	%D%/report_columns.c \
	%D%/report_json.c \
	%D%/report_json.h \
	%D%/report_load.c \
	%D%/report_parts.h \
	%D%/report_process.c \
	%D%/report_request.c \
	%D%/report_request.h \
	%D%/report_request_check.c \
	%D%/report_runtime.c \
	%D%/report_runtime.h \
	%D%/report_threads.c \
	%D%/report_totals.c \
	%D%/report_summary.c \
	%D%/report_text.c \
	%D%/report_text.h \
	%D%/report_warnings.c \
	%D%/report_warnings_figures.c \
	%D%/report_warnings_lost.c \
	%D%/report_warnings_parts.h \
	%D%/report_warnings_run.c \
	%D%/run.h \
	%D%/run_child.c \
	%D%/run_environment.c \
	%D%/run_folder.c \
	%D%/run_folder.h \
	%D%/run_gomp.c \
	%D%/run_kind.c \
	%D%/run_marker.c \
	%D%/run_marker.h \
	%D%/run_output.c \
	%D%/run_processes.c \
	%D%/run_program.c \
	%D%/run_proof.c \
	%D%/run_proof.h \
	%D%/run_result.c \
	%D%/run_settings.c \
	%D%/run_runtime.c \
	%D%/run_runtime.h \
	%D%/run_secure.c \
	%D%/run_signals.c \
	%D%/run_signals.h \
	%D%/save.c \
	%D%/save.h \
	%D%/scale.c \
	%D%/scale.h \
	%D%/scale_folder.c \
	%D%/scale_json.c \
	%D%/scale_run.c \
	%D%/scale_text.c \
	%D%/shared_options.c \
	%D%/shared_options.h \
	%D%/source.c \
	%D%/source.h \
	%D%/source_doubt.c \
	%D%/source_doubt.h \
	%D%/source_find.c \
	%D%/status.h \
	%D%/symbols.h \
	%D%/symbols_cache.c \
	%D%/symbols_dwarf.c \
	%D%/symbols_dwarf.h \
	%D%/symbols_elf.c \
	%D%/symbols_elf.h \
	%D%/symbols_extent.c \
	%D%/symbols_file.c \
	%D%/symbols_file.h \
	%D%/symbols_find.c \
	%D%/symbols_line.c \
	%D%/symbols_md5.c \
	%D%/symbols_names.c \
	%D%/symbols_names.h \
	%D%/symbols_parts.h \
	%D%/symbols_places.c \
	%D%/symbols_plt.c \
	%D%/symbols_strings.c \
	%D%/symbols_strings.h \
	%D%/symbols_unit.c \
	%D%/symbols_variable.c \
	%D%/symbols_code.c \
	%D%/symbols_code.h \
	%D%/table.c \
	%D%/table.h \
	%D%/table_cells.c \
	%D%/table_csv.c \
	%D%/table_layout.c \
	%D%/table_names.c \
	%D%/table_notes.c \
	%D%/table_parts.h \
	%D%/table_path.c \
	%D%/table_plan.c \
	%D%/table_text.c \
	%D%/terminal.c \
	%D%/terminal.h \
	%D%/terminal_ascii.c \
	%D%/terminal_ascii.h \
	%D%/thread_columns.c \
	%D%/thread_columns.h \
	%D%/time_range.c \
	%D%/time_range.h \
	%D%/listed.c \
	%D%/listed.h \
	%D%/live.c \
	%D%/live.h \
	%D%/live_output.c \
	%D%/live_view.c \
	%D%/top.h \
	%D%/top_change.c \
	%D%/top_find.c \
	%D%/top_picture.c \
	%D%/top_rows.c \
	%D%/top_rows.h \
	%D%/top_screen.c \
	%D%/top_terminal.c \
	%D%/top_watch.c \
	%D%/view.h \
	%D%/view_bottom_up.c \
	%D%/view_causes.c \
	%D%/view_causes.h \
	%D%/view_classes.c \
	%D%/view_classes.h \
	%D%/view_culprits.c \
	%D%/view_culprits.h \
	%D%/view_doubts.c \
	%D%/view_doubts.h \
	%D%/view_event.c \
	%D%/view_events.c \
	%D%/view_events.h \
	%D%/view_filter.c \
	%D%/view_filter.h \
	%D%/view_flat.c \
	%D%/view_flat.h \
	%D%/view_json.c \
	%D%/view_json.h \
	%D%/view_json_counted.c \
	%D%/view_json_figures.c \
	%D%/view_json_figures.h \
	%D%/view_json_figures_parts.h \
	%D%/view_json_targets.c \
	%D%/view_json_targets.h \
	%D%/view_json_timeline.c \
	%D%/view_json_timeline.h \
	%D%/view_list.c \
	%D%/view_loop.c \
	%D%/view_lock.c \
	%D%/view_part.c \
	%D%/view_part.h \
	%D%/view_part_json.c \
	%D%/view_phase.c \
	%D%/view_nodes.c \
	%D%/view_nodes.h \
	%D%/view_pop.c \
	%D%/view_process.c \
	%D%/view_process.h \
	%D%/view_region.c \
	%D%/view_summary.c \
	%D%/view_summary_head.c \
	%D%/view_summary_layout.c \
	%D%/view_summary_parts.h \
	%D%/view_summary_top.c \
	%D%/view_summary_warnings.c \
	%D%/view_device.c \
	%D%/view_target.c \
	%D%/view_task.c \
	%D%/view_thread.c \
	%D%/view_tree.c \
	%D%/view_wait.c \
	%D%/view_warnings.c \
	%D%/symbols.c
nodist_%C%_libcommand_a_SOURCES = html/page.c %D%/functions.c
EXTRA_DIST += %D%/functions.sh
CLEANFILES += %D%/functions.c

# The functions of libgomp for which libomp is proven: the table that the tests prove.
%D%/functions.c: tests/gcc/functions.txt %D%/functions.sh
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/functions.sh $(srcdir)/tests/gcc/functions.txt >$@.tmp && mv $@.tmp $@

%C%_libcommand_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS) $(ZLIB_CFLAGS) $(SQLITE_CFLAGS) $(OMP_TOOLS_CFLAGS)

bin_PROGRAMS += ompprof
ompprof_SOURCES = %D%/main.c
# Runtimes that ompprof doctor loads find ompprof's own tool (doctor_ompt.c).
ompprof_LDFLAGS = $(AM_LDFLAGS) -Wl,--export-dynamic-symbol=ompt_start_tool
ompprof_LDADD = \
	%D%/libcommand.a \
	attribution/libattribution.a \
	profile/libprofile.a \
	$(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(SQLITE_LIBS) -lm

# What `ompprof merge` goes on as under mpirun; ompprof itself needs no MPI.
if HAVE_MPI
pkglibexec_PROGRAMS += ompprof-merge-mpi
ompprof_merge_mpi_SOURCES = %D%/merge_mpi.c
ompprof_merge_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
ompprof_merge_mpi_LDFLAGS = $(ompprof_LDFLAGS)
ompprof_merge_mpi_LDADD = $(ompprof_LDADD) $(MPI_LIBS)
else
EXTRA_DIST += %D%/merge_mpi.c
endif

# Completion in bash: completion.bash, and what the tables of options say. It is loaded by the name
# of the command.
noinst_PROGRAMS += %D%/completion_tables
%C%_completion_tables_SOURCES = %D%/completion_tables.c
%C%_completion_tables_LDADD = $(ompprof_LDADD)
EXTRA_DIST += %D%/completion.bash
bashcompletiondir = $(BASH_COMPLETION_DIR)
nodist_bashcompletion_DATA = bash-completion/ompprof
CLEANFILES += bash-completion/ompprof

bash-completion/ompprof: %D%/completion.bash %D%/completion_tables$(EXEEXT)
	$(AM_V_at)$(MKDIR_P) bash-completion
	$(AM_V_GEN)%D%/completion_tables$(EXEEXT) >$@.tmp && \
		cat $(srcdir)/%D%/completion.bash $@.tmp >$@ && rm $@.tmp
