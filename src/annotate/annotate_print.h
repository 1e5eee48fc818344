/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The three forms of ompprof annotate's output: text for people, JSON and CSV for programs. They
 * print a listing and decide nothing.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_PRINT_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_PRINT_H

#include "src/annotate/annotate_listing.h"
#include "src/text/json.h"
#include "src/text/terminal.h"

void annotate_print_text(const struct annotate_listing *listing, struct terminal *terminal);
/* Writes the members of the listing into the open object. */
void annotate_put_json(struct json *json, const struct annotate_listing *listing);
void annotate_print_json(const struct annotate_listing *listing, struct terminal *terminal);
/* Returns 0, or -1 when out of memory. */
int annotate_print_csv(const struct annotate_listing *listing, struct terminal *terminal);

#endif
