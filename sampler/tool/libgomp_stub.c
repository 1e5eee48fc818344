/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An empty library that is called libgomp.so.1. `ompprof run --runtime=libomp` preloads it behind
 * a libomp. The loader then takes libgomp.so.1 as loaded, and the functions come from libomp.
 * src/run/run_runtime.h gives the reason.
 */
