# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/doctor.c \
	%D%/doctor.h \
	%D%/doctor_limits.c \
	%D%/doctor_machine.c \
	%D%/doctor_objects.c \
	%D%/doctor_ompt.c \
	%D%/doctor_print.c \
	%D%/doctor_program.c \
	%D%/doctor_report.c \
	%D%/doctor_runtime.c
