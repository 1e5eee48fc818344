/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the module of the program that has called a function of this library. */
#ifndef OMPPROF_GOMP_CALLER_H
#define OMPPROF_GOMP_CALLER_H

/* Whether the address lies in this library. */
int gomp_is_own_code(const void *address);

/*
 * An address in the module whose code has called this library, where `caller` is the return
 * address; NULL if that is not known. A function that ends with the call jumps to this library, so
 * that the return address is its caller's, maybe in another module: x86-64's call instruction tells
 * which function was called. On other machines the module that contains the return address.
 */
const void *gomp_calling_code(const void *caller);

#endif
