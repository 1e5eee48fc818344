# SPDX-License-Identifier: Apache-2.0
# For programs that are profiled. Sources for Fortran: a module is of one compiler's version.
include_HEADERS = %D%/ompprof.h %D%/ompprof-gomp.h %D%/ompprof.f90 %D%/ompprof_fortran.c
