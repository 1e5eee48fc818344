# SPDX-License-Identifier: Apache-2.0
dist_man_MANS += \
	%D%/ompprof.1 \
	%D%/ompprof-annotate.1 \
	%D%/ompprof-diff.1 \
	%D%/ompprof-info.1 \
	%D%/ompprof-json.5 \
	%D%/ompprof-profile.5 \
	%D%/ompprof-report.1 \
	%D%/ompprof-run.1 \
	%D%/ompprof-scale.1
