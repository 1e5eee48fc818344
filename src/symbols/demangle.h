/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linkage names as people write them: C++ and Rust by libiberty where it was found, Fortran
 * modules by hand (nobody else knows them). No parameter lists and no return types, but template
 * arguments: `_ZN1A3runIiEEvi` is `A::run<int>`. It knows nothing of object files.
 */
#ifndef OMPPROF_SRC_SYMBOLS_DEMANGLE_H
#define OMPPROF_SRC_SYMBOLS_DEMANGLE_H

/*
 * The readable form of `linkage`, to be freed by the caller; NULL when it is readable as it is or
 * when out of memory.
 *
 * What the compiler outlined for OpenMP keeps its suffix (`A::run.omp_outlined`, `main._omp_fn.0`);
 * the suffixes of optimiser clones (`.cold`, `.part.0`, `.isra.0`, `.llvm.42` ...) go, as the code
 * is the function's own. `__m_MOD_solve` (gfortran) and `_QMmPsolve` (flang) are `m::solve`.
 */
char *demangle_name(const char *linkage);

#endif
