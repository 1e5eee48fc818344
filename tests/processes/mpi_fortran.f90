! SPDX-License-Identifier: Apache-2.0
! mpi_fortran: rank 1 is late for a barrier by 0.3 s, with the bindings of Fortran 2008.
program mpi_fortran
	use mpi_f08
	use iso_c_binding
	implicit none
	interface
		integer(c_int) function usleep(us) bind(c)
			import c_int
			integer(c_int), value :: us
		end function
	end interface
	integer :: rank, sums(3), mine(3), ignored

	call MPI_Init()
	call MPI_Comm_rank(MPI_COMM_WORLD, rank)
	!$omp parallel
	mine = rank + 1
	!$omp end parallel
	if (rank == 1) ignored = usleep(300000_c_int)
	call MPI_Barrier(MPI_COMM_WORLD)
	call MPI_Allreduce(mine, sums, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
	if (rank == 0) print '(3i3)', sums
	call MPI_Finalize()
end program
