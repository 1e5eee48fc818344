# SPDX-License-Identifier: Apache-2.0
# A recipe for Spack. The tarball of a release is looked for in the current folder.
import os

from spack.package import *


class Ompprof(AutotoolsPackage):
    """Sampling profiler for OpenMP programs, through the OMPT interface."""

    url = f"file://{os.getcwd()}/ompprof-0.9.0.tar.gz"
    license("Apache-2.0")
    version("0.9.0")

    variant("mpi", default=False, description="merge profiles of a job under mpirun")
    variant("sqlite", default=True, description="ompprof export --format sqlite")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("llvm-openmp", type=("build", "run"))
    depends_on("elfutils")
    depends_on("binutils+libiberty", type=("build", "link"))
    depends_on("libunwind")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("sqlite", when="+sqlite")
    depends_on("mpi", when="+mpi")
    requires("target=x86_64:", "platform=linux")

    def configure_args(self):
        args = [f"--with-omp-tools={self.spec['llvm-openmp'].prefix.include}"]
        args += self.with_or_without("mpi")
        args += self.with_or_without("sqlite3", variant="sqlite")
        return args
