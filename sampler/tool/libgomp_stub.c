/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An empty library that calls itself libgomp.so.1. Where a program finds GCC's libgomp by a path of
 * its own, `ompprof run` preloads this library beside a libomp. The loader then takes libgomp.so.1
 * as loaded, and the functions come from libomp. src/run/run_runtime.h gives the reason.
 */
