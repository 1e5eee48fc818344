# SPDX-License-Identifier: Apache-2.0
# MPI, for the program that `ompprof merge` goes on as under mpirun: Open MPI, else MPICH, or MPI_CFLAGS and MPI_LIBS.
AC_DEFUN([OMPPROF_MPI], [
	AC_ARG_WITH([mpi], [AS_HELP_STRING([--without-mpi], [merge profiles under mpirun by one rank])],
		[], [with_mpi=auto])
	ompprof_mpi="no: asked for"
	AS_IF([test "$with_mpi" != no], [
		PKG_CHECK_MODULES([MPI], [ompi-c], [ompprof_mpi="Open MPI `$PKG_CONFIG --modversion ompi-c`"], [
			PKG_CHECK_MODULES([MPICH], [mpich], [
				MPI_CFLAGS=$MPICH_CFLAGS MPI_LIBS=$MPICH_LIBS
				ompprof_mpi="MPICH `$PKG_CONFIG --modversion mpich`"], [
				OMPPROF_ABSENT([ompprof_mpi], [ompprof merge is serial under mpirun],
					[libopenmpi-dev], [openmpi-devel])
				AS_IF([test "$with_mpi" = yes], [OMPPROF_MISSING([MPI], [libopenmpi-dev], [openmpi-devel])])])])])
	AM_CONDITIONAL([HAVE_MPI], [case $ompprof_mpi in no:*) false ;; *) : ;; esac])
])
