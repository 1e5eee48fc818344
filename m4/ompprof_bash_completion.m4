# SPDX-License-Identifier: Apache-2.0
# Where bash's completion is installed: below the prefix, as anything else, where bash-completion
# looks if XDG_DATA_DIRS has the prefix's share or ompprof is found in the prefix's bin.
AC_DEFUN([OMPPROF_BASH_COMPLETION], [
	AC_ARG_WITH([bash-completion-dir],
		[AS_HELP_STRING([--with-bash-completion-dir=DIR],
			[install the completion for bash in DIR, or 'no'
			@<:@DATADIR/bash-completion/completions@:>@])],
		[], [with_bash_completion_dir=yes])
	AS_CASE([$with_bash_completion_dir],
		[yes], [BASH_COMPLETION_DIR='${datadir}/bash-completion/completions'],
		[no], [BASH_COMPLETION_DIR=],
		[BASH_COMPLETION_DIR=$with_bash_completion_dir])
	AC_SUBST([BASH_COMPLETION_DIR])
	ompprof_bash_completion=${BASH_COMPLETION_DIR:-"not installed"}
	AS_IF([test "$cross_compiling/$CROSS_RUN" = yes/],
		[ompprof_bash_completion="not made: no CROSS_RUN for a cross build"])
	AM_CONDITIONAL([MAKE_BASH_COMPLETION], [test "$cross_compiling/$CROSS_RUN" != yes/])
])
