# SPDX-License-Identifier: Apache-2.0
# Packages for Debian and others; docs/packages.md says what of them was tried.
EXTRA_DIST += \
	%D%/check.sh \
	%D%/conda \
	%D%/Containerfile \
	%D%/debian \
	%D%/easybuild \
	%D%/lintian.txt \
	%D%/modulefile \
	%D%/ompprof.spec \
	%D%/spack

.PHONY: check-packages
check-packages: dist
	$(srcdir)/%D%/check.sh $(distdir).tar.gz packages/check
