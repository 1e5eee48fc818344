# SPDX-License-Identifier: Apache-2.0
# The processor architecture of the host, by the list in unwinder/arch.mk. The conditional ARCH_NAME chooses its files.
m4_define([OMPPROF_ARCHS], m4_esyscmd_s(
	[sed -n '/^if ARCH_/{s///;s/ .*//;p;}' unwinder/arch.mk | tr '\n' ' ']))
m4_define([OMPPROF_ARCHS_PORTED], m4_esyscmd_s(
	[sed -n '/^if ARCH_.* # ported/{s/^if ARCH_//;s/ .*//;p;}' unwinder/arch.mk | tr '\n' ' ']))

AC_DEFUN([OMPPROF_ARCH], [
	AC_REQUIRE([AC_CANONICAL_HOST])
	AC_ARG_VAR([CROSS_RUN], [in a cross build: command that runs programs of the host, as an emulator])
	AC_ARG_ENABLE([port], [AS_HELP_STRING([--enable-port],
		[build for an architecture to which ompprof is not yet ported])],
		[], [enable_port=no])
	ompprof_archs="m4_normalize(m4_defn([OMPPROF_ARCHS_PORTED]))"
	AS_IF([test "$enable_port" != no], [ompprof_archs="m4_normalize(m4_defn([OMPPROF_ARCHS]))"])
	AS_CASE(["$host_os: $ompprof_archs "],
		[linux-gnu*:*" $host_cpu "*], [],
		[AC_MSG_ERROR([ompprof runs on Linux with glibc on $ompprof_archs, not on '$host'])])
	m4_foreach_w([arch], m4_defn([OMPPROF_ARCHS]),
		[AM_CONDITIONAL([ARCH_]arch, [test "$host_cpu" = arch])])
	AC_CONFIG_LINKS([unwinder/core/arch_host.h:unwinder/core/arch_$host_cpu.h])
	AC_DEFINE([OMPPROF_MACHINES],
		[m4_foreach_w([arch], m4_defn([OMPPROF_ARCHS]), [MACHINE(arch) ])],
		[MACHINE(NAME) for each architecture whose files can be read])
	AC_DEFINE_UNQUOTED([OMPPROF_HOST_MACHINE], [machine_$host_cpu], [the one that runs programs])
])
