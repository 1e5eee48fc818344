# SPDX-License-Identifier: Apache-2.0
# The page of report --html: its parts are compiled into the command, in this order.
page_scripts = text.js head.js part.js table.js flame.js flame_draw.js data.js flame_report.js regions.js blame.js \
	threads.js range.js timeline.js timeline_draw.js lists.js sandwich.js devices.js phases.js source.js main.js
page_parts = $(page_scripts:%=%D%/%) %D%/page.html %D%/style.css
page_causes = attribution/metrics/causes.def
EXTRA_DIST += $(page_parts) %D%/embed.sh
CLEANFILES += %D%/page.c

%D%/page.c: $(page_parts) $(page_causes) %D%/embed.sh
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/embed.sh $(srcdir)/%D% $(srcdir)/$(page_causes) $(page_scripts) >$@.tmp && mv $@.tmp $@
