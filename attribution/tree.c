/* SPDX-License-Identifier: Apache-2.0 */
/* The attributed tree's container; see tree.h. */
#include "attribution/tree.h"

#include <stdlib.h>

void tree_release(struct tree *tree)
{
	free(tree->nodes);
	*tree = (struct tree){ 0 };
}
