# SPDX-License-Identifier: Apache-2.0
# Profiles of made-up runs, for unit tests, for tests of the command and for the fuzzer.
BUILD_PROFILE = %D%/build_profile.c %D%/build_profile.h
MADE_METRICS = %D%/made_metrics.c %D%/made_metrics.h
SCENES_ALONE = %D%/scene_counters.c %D%/scenes.c %D%/scenes.h
SCENES = $(SCENES_ALONE) $(BUILD_PROFILE)

check_PROGRAMS += %D%/write_scene
%C%_write_scene_SOURCES = %D%/write_scene.c $(SCENES)
%C%_write_scene_CPPFLAGS = $(AM_CPPFLAGS)
