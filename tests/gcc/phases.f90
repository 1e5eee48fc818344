! SPDX-License-Identifier: Apache-2.0
! The module of include/ompprof.f90: prints what its subroutines say.
program phases
  use ompprof
  implicit none
  integer :: status(6), i
  double precision :: sum

  call ompprof_phase_begin('assemble  ', status(1))
  sum = 0
  !$omp parallel do reduction(+:sum) num_threads(2)
  do i = 1, 20000000
    sum = sum + 1d0 / i
  end do
  call ompprof_phase_end(status(2))
  call ompprof_phase_begin(7, status(3))
  call ompprof_phase_end()
  call ompprof_pause()
  call ompprof_start(status(4))
  call ompprof_flush()
  call ompprof_phase_end(status(5))
  call ompprof_end(status(6))
  print '(6i3, l2)', status, sum > 17 .and. sum < 18
end program
