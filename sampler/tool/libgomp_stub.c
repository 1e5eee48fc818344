/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An empty library that calls itself libgomp.so.1. `ompprof run` preloads it beside a libomp where a program
 * finds GCC's libgomp by a path of its own: the loader then takes libgomp.so.1 for loaded, and the
 * functions are libomp's. src/run/run_runtime.h says why.
 */
