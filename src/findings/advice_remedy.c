/* SPDX-License-Identifier: Apache-2.0 */
/* Remedies in the language of the source; see advice.h. */
#include <string.h>
#include <strings.h>

#include "src/findings/advice.h"

struct remedy {
	const char *c, *fortran, *text;
};

static const struct remedy remedies[] = {
#define REMEDY(NAME, c, fortran, text) [ADVICE_TRY_##NAME] = { c, fortran, text },
#include "src/findings/advice_remedies.def"
};

static int is_fortran(const char *file)
{
	static const char *const endings[] = { ".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03",
		".f08", ".f18" };
	const char *dot = strrchr(file, '.');

	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcasecmp(dot, endings[i]) == 0)
			return 1;
	return 0;
}

const char *advice_directive(const struct advice *advice)
{
	const struct remedy *remedy = &remedies[advice->remedy];

	return is_fortran(advice->file) ? remedy->fortran : remedy->c;
}

const char *advice_remedy_text(const struct advice *advice)
{
	return remedies[advice->remedy].text;
}
