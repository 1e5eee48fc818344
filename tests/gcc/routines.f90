! SPDX-License-Identifier: Apache-2.0
! The routines omp_* as Fortran calls them: each group prints what they return, the same on any runtime.
program routines
	use omp_lib
	implicit none
	character(len=20) :: name
	call get_command_argument(1, name)
	select case (name)
	case ('levels')
		call levels()
		!$omp parallel num_threads(1)
		call levels()
		!$omp end parallel
		call omp_set_max_active_levels(2)
		!$omp parallel num_threads(2)
		!$omp single
		call levels()
		!$omp end single
		!$omp end parallel
	case ('settings')
		call settings()
	case ('nesting')
		call nesting()
	case ('defaults')
		print '(4i12)', omp_get_num_procs(), omp_get_max_threads(), omp_get_thread_limit()
		print '(3i6, l2)', omp_get_num_devices(), omp_get_default_device(), &
			omp_get_initial_device(), omp_is_initial_device()
		print '(l2, 3i6)', omp_get_cancellation(), omp_get_max_task_priority(), &
			omp_get_num_teams(), omp_get_team_num()
	case ('final')
		!$omp parallel num_threads(2)
		!$omp single
		!$omp task final(.true.) if(.false.)
		print '(l2)', omp_in_final()
		!$omp end task
		print '(l2)', omp_in_final()
		!$omp end single
		!$omp end parallel
	case ('time')
		call time()
	case ('locks')
		call locks()
	end select
contains
	subroutine levels()
		print '(4i4, l2)', omp_get_level(), omp_get_active_level(), omp_get_num_threads(), &
			omp_get_team_size(0), omp_in_parallel()
		print '(8i4)', omp_get_ancestor_thread_num(-1), omp_get_ancestor_thread_num(0), &
			omp_get_ancestor_thread_num(7), omp_get_team_size(-1), omp_get_team_size(1), &
			omp_get_team_size(2), min(omp_get_thread_num(), 0)
	end subroutine levels

	subroutine settings()
		integer :: n
		do n = -1, 3
			call omp_set_num_threads(n)
			print '(2i6)', n, omp_get_max_threads()
		end do
		call omp_set_dynamic(.true.)
		print '(l2)', omp_get_dynamic()
		call omp_set_dynamic(.false.)
		print '(l2)', omp_get_dynamic()
	end subroutine settings

	subroutine nesting()
		integer :: levels, n
		call omp_set_nested(.true.)
		print '(l2)', omp_get_nested()
		call omp_set_nested(.false.)
		print '(l2)', omp_get_nested()
		do levels = -1, 3
			call omp_set_max_active_levels(levels)
			n = 0
			!$omp parallel num_threads(2)
			!$omp single
			!$omp parallel num_threads(2)
			!$omp single
			n = omp_get_num_threads()
			!$omp end single
			!$omp end parallel
			!$omp end single
			!$omp end parallel
			print '(i4, l2)', n, omp_get_nested()
		end do
	end subroutine nesting

	subroutine time()
		real(8) :: begin, now
		begin = omp_get_wtime()
		now = begin
		do while (now - begin < 0.01)
			now = omp_get_wtime()
		end do
		print '(l2)', now - begin < 10
	end subroutine time

	subroutine locks()
		integer(omp_lock_kind) :: around(3)
		integer :: i, total
		around = 77
		call omp_init_lock(around(2))
		print '(2l2)', omp_test_lock(around(2)), omp_test_lock(around(2))
		call omp_unset_lock(around(2))
		total = 0
		!$omp parallel do num_threads(2)
		do i = 1, 1000
			call omp_set_lock(around(2))
			total = total + i
			call omp_unset_lock(around(2))
		end do
		!$omp end parallel do
		call omp_destroy_lock(around(2))
		print '(3i8)', total, around(1), around(3)
	end subroutine locks
end program routines
