! SPDX-License-Identifier: Apache-2.0
! Fortran on a runtime: loops, workshare, tasks, an array on each thread's stack, and the module omp_lib.
module kernels
	use omp_lib
	implicit none
contains
	subroutine fill(a, n)
		integer, intent(in) :: n
		integer(8), intent(out) :: a(n)
		integer :: i
		!$omp parallel do schedule(dynamic, 4096)
		do i = 1, n
			a(i) = mod(i, 11) * merge(1, 2, btest(i, 3))
		end do
		!$omp end parallel do
	end subroutine fill

	integer(8) function total(a, n)
		integer, intent(in) :: n
		integer(8), intent(in) :: a(n)
		integer :: i, turn
		total = 0
		do turn = 1, 20
			!$omp parallel do reduction(+:total)
			do i = 1, n
				total = total + mod(a(i) * turn, 7_8)
			end do
			!$omp end parallel do
		end do
	end function total

	integer(8) function stacked(n)
		integer, intent(in) :: n
		integer(8) :: own(100000), sum_of
		integer :: i
		sum_of = 0
		!$omp parallel private(own, i) reduction(+:sum_of)
		do i = 1, size(own)
			own(i) = mod(i, n)
		end do
		!$omp single
		sum_of = sum(own)
		!$omp end single
		!$omp end parallel
		stacked = sum_of
	end function stacked

	integer(8) function tasks()
		integer(8) :: part(32)
		integer :: i
		!$omp parallel
		!$omp single
		do i = 1, 32
			!$omp task firstprivate(i) shared(part)
			part(i) = int(i, 8) ** 3
			!$omp end task
		end do
		!$omp end single
		!$omp end parallel
		tasks = sum(part)
	end function tasks
end module kernels

program loops
	use kernels
	implicit none
	integer, parameter :: n = 4000000
	integer(8), allocatable :: a(:), b(:)
	allocate(a(n), b(n))
	call fill(a, n)
	!$omp parallel workshare
	b = a * 2
	!$omp end parallel workshare
	print '(i0)', total(b, n)
	print '(i0)', stacked(13)
	print '(i0)', tasks()
	print '(l1)', omp_get_max_threads() >= 1
end program loops
