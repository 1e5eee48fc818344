# SPDX-License-Identifier: Apache-2.0
dist_man_MANS += \
	%D%/ompprof.1 \
	%D%/ompprof.h.3 \
	%D%/ompprof-annotate.1 \
	%D%/ompprof-counters.7 \
	%D%/ompprof-csv.5 \
	%D%/ompprof-diff.1 \
	%D%/ompprof-doctor.1 \
	%D%/ompprof-export.1 \
	%D%/ompprof-filters.7 \
	%D%/ompprof-gomp.7 \
	%D%/ompprof-help.1 \
	%D%/ompprof-history.1 \
	%D%/ompprof-info.1 \
	%D%/ompprof-json.5 \
	%D%/ompprof-merge.1 \
	%D%/ompprof-ompt.7 \
	%D%/ompprof-profile.5 \
	%D%/ompprof-report.1 \
	%D%/ompprof-run.1 \
	%D%/ompprof-scale.1 \
	%D%/ompprof-top.1 \
	%D%/ompprof-tutorial.7 \
	%D%/ompprof-why.1

# The pages where an ompprof that is not installed looks for them.
all-local: man-pages/linked
CLEANFILES += man-pages/*.1 man-pages/linked
man-pages/linked: $(dist_man_MANS)
	$(AM_V_at)$(MKDIR_P) man-pages && rm -f man-pages/*.1
	$(AM_V_GEN)for page in $(dist_man_MANS); do \
		case $$page in *.1) ln -s "$(abs_top_srcdir)/$$page" man-pages/ || exit 1 ;; esac; \
	done && touch $@
