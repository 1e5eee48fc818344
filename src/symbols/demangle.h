/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Demangles names. libiberty, if configure found it, does C++ and Rust; modules of Fortran are done
 * by hand, because no library knows them. The result has template arguments, but no parameters and
 * no return type: `_ZN1A3runIiEEvi` is `A::run<int>`.
 */
#ifndef OMPPROF_SRC_SYMBOLS_DEMANGLE_H
#define OMPPROF_SRC_SYMBOLS_DEMANGLE_H

/*
 * Returns the readable form of `linkage`, which the caller frees. Returns NULL when the name is
 * readable already or when out of memory.
 *
 * A function that the compiler outlined for OpenMP keeps its suffix (`A::run.omp_outlined`,
 * `main._omp_fn.0`). The suffixes of optimiser clones (`.cold`, `.part.0`, `.isra.0`, `.llvm.42`
 * ...) are removed, as the code belongs to the function itself. `__m_MOD_solve` (gfortran) and
 * `_QMmPsolve` (flang) are `m::solve`.
 */
char *demangle_name(const char *linkage);

#endif
