! SPDX-License-Identifier: Apache-2.0
! The construct that C does not have: a part of constructs.c where gfortran is installed.
module workshare_parts
  use iso_c_binding
  implicit none
  interface
    subroutine workshare_kernel(seconds) bind(C)
      import :: c_double
      real(c_double), value :: seconds
    end subroutine
  end interface
contains
  impure elemental function work(seconds)
    real(c_double), intent(in) :: seconds
    real(c_double) :: work
    call workshare_kernel(seconds)
    work = seconds
  end function

  subroutine share_workshare(seconds) bind(C)
    real(c_double), value :: seconds
    real(c_double), save :: done
    !$omp workshare
    done = work(seconds)
    !$omp end workshare
  end subroutine
end module
