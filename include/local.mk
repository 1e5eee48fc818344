# SPDX-License-Identifier: Apache-2.0
# For programs that are profiled. Sources for Fortran: a module is of one compiler's version.
include_HEADERS = %D%/ompprof.h %D%/ompprof-gomp.h %D%/ompprof.f90 %D%/ompprof_fortran.c

# How pkg-config and CMake find them. configure makes these files. They find the prefix from their
# own place: it must not follow --datadir.
pkgconfigdir = $(prefix)/share/pkgconfig
nodist_pkgconfig_DATA = %D%/ompprof.pc
cmakedir = $(prefix)/share/cmake/ompprof
nodist_cmake_DATA = %D%/ompprof-config.cmake %D%/ompprof-config-version.cmake
