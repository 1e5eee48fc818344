# SPDX-License-Identifier: Apache-2.0
# The pages of report --html and diff --html: their parts are compiled into the command, in this order.
page_scripts = text.js head.js part.js table.js flame.js flame_draw.js
report_scripts = $(page_scripts) data.js flame_report.js regions.js blame.js threads.js range.js timeline.js timeline_draw.js \
	lists.js sandwich.js ranks.js devices.js phases.js source.js main.js
diff_scripts = $(page_scripts) diff_flame.js diff_tables.js diff_main.js
page_parts = %D%/page.html %D%/style.css
page_causes = attribution/metrics/causes.def
EXTRA_DIST += $(report_scripts:%=%D%/%) $(diff_scripts:%=%D%/%) $(page_parts) %D%/embed.sh
CLEANFILES += %D%/report_page.c %D%/diff_page.c
embed_page = $(MKDIR_P) %D% && $(SHELL) $(srcdir)/%D%/embed.sh

%D%/report_page.c: $(report_scripts:%=%D%/%) $(page_parts) $(page_causes) %D%/embed.sh
	$(AM_V_GEN)$(embed_page) report_page $(srcdir)/%D% $(srcdir)/$(page_causes) $(report_scripts) >$@.tmp && mv $@.tmp $@

%D%/diff_page.c: $(diff_scripts:%=%D%/%) $(page_parts) $(page_causes) %D%/embed.sh
	$(AM_V_GEN)$(embed_page) diff_page $(srcdir)/%D% $(srcdir)/$(page_causes) $(diff_scripts) >$@.tmp && mv $@.tmp $@
