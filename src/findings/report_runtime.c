/* SPDX-License-Identifier: Apache-2.0 */
/* Tells GCC's libgomp from libomp in its place; see report_runtime.h. */
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/findings/report_runtime.h"

int report_is_provider(const struct profile_module *module)
{
	const char *name = names_base(module->path);

	return module->flags & PROFILE_MODULE_RUNTIME &&
	       (strcmp(name, RUN_PROVIDER_FILE) == 0 ||
		       strcmp(name, RUN_PROVIDER_EVENTS_FILE) == 0);
}

int report_has_provider(const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_modules; i++)
		if (report_is_provider(&profile->modules[i]))
			return 1;
	return 0;
}

const char *report_runtime_path(const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_modules; i++) {
		const struct profile_module *module = &profile->modules[i];

		if (module->flags & PROFILE_MODULE_RUNTIME && !report_is_provider(module))
			return module->path;
	}
	return "";
}

const char *report_libgomp(const struct profile *profile)
{
	/* The provider sees each copy. */
	if (report_has_provider(profile))
		return NULL;
	for (size_t i = 0; i < profile->n_modules; i++) {
		const char *path = profile->modules[i].path;
		const char *rest = names_base(path);

		/* Some distributions of Python have a copy of their own, libgomp-HASH.so.1.0.0. */
		if (strncmp(rest, "libgomp", 7) == 0 && (rest[7] == '.' || rest[7] == '-') &&
			!(profile->modules[i].flags & PROFILE_MODULE_RUNTIME))
			return path;
	}
	return NULL;
}

int report_has_untold_libomp(const struct profile *profile)
{
	for (size_t i = 0; report_has_provider(profile) && i < profile->n_modules; i++) {
		const char *name = names_base(profile->modules[i].path);

		if (strncmp(name, "libomp.", 7) == 0 || strncmp(name, "libiomp5.", 9) == 0)
			return 1;
	}
	return 0;
}

int report_is_exchanged(const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_modules; i++)
		if (profile->modules[i].flags & PROFILE_MODULE_FOR_LIBGOMP ||
			strcmp(names_base(profile->modules[i].path), RUN_RUNTIME_STAND_IN) == 0)
			return 1;
	return 0;
}
