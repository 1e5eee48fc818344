/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a made-up run; see scene_report.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/command/scene_report.h"
#include "tests/unit/scenes/scenes.h"

void scene_report(struct report *report, const char *scene, const struct report_options *options)
{
	static const struct report_options user_view = { .view = TREE_USER };
	struct build build;
	struct diag diag;

	memset(report, 0, sizeof(*report));
	if (scene_build(&build, scene) != 0)
		fail_msg("no scene '%s'", scene);
	if (profile_parse(&report->profile, build.bytes, build.size, scene, &diag) != 0 ||
		report_make(report, options ? options : &user_view, scene_lookup, NULL, &diag) != 0)
		fail_msg("%s: %s", scene, diag.text);
	build_release(&build);
}
