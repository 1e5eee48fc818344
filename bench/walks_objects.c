/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of the loaded objects cost. */
#include "bench/walks.h"

void walks_objects(void)
{
}
