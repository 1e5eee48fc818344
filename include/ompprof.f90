! SPDX-License-Identifier: Apache-2.0
! For Fortran programs that are profiled by ompprof: what ompprof.h is for C. Compile it, and ompprof_fortran.c
! beside it, with the program:
!
!     gfortran -fopenmp ompprof.f90 ompprof_fortran.c program.f90
!
!     use ompprof
!     call ompprof_phase_begin('assemble')
!     ...
!     call ompprof_phase_end()
!
! Each subroutine has a last argument that can be left out, and is 0 for success, or else as ompprof.h(3) says.
module ompprof
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char, c_null_ptr, c_ptr, c_loc
  implicit none
  private

  ! Commands of omp_control_tool: OpenMP's own, and from 64 on ompprof's. phase_begin takes a number other than 0 as
  ! its modifier, or a name as its argument and 0 as its modifier.
  integer, parameter, public :: ompprof_command_start = 1
  integer, parameter, public :: ompprof_command_pause = 2
  integer, parameter, public :: ompprof_command_flush = 3
  integer, parameter, public :: ompprof_command_end = 4
  integer, parameter, public :: ompprof_command_phase_begin = 64
  integer, parameter, public :: ompprof_command_phase_end = 65

  public :: ompprof_phase_begin, ompprof_phase_end
  public :: ompprof_start, ompprof_pause, ompprof_flush, ompprof_end

  interface ompprof_phase_begin
    module procedure begin_by_name
    module procedure begin_by_number
  end interface

  interface
    function control(command, modifier, arg) bind(c, name='ompprof_fortran_control')
      import :: c_int, c_ptr
      integer(c_int), value :: command, modifier
      type(c_ptr), value :: arg
      integer(c_int) :: control
    end function
  end interface

contains

  subroutine send(command, modifier, arg, status)
    integer, intent(in) :: command, modifier
    type(c_ptr), intent(in) :: arg
    integer, intent(out), optional :: status
    integer(c_int) :: answer

    answer = control(int(command, c_int), int(modifier, c_int), arg)
    if (present(status)) status = int(answer)
  end subroutine

  ! Blanks at the end are not part of the name.
  subroutine begin_by_name(name, status)
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: status
    character(kind=c_char), target :: text(len_trim(name) + 1)
    integer :: i

    do i = 1, len_trim(name)
      text(i) = name(i:i)
    end do
    text(len_trim(name) + 1) = c_null_char
    call send(ompprof_command_phase_begin, 0, c_loc(text), status)
  end subroutine

  subroutine begin_by_number(number, status)
    integer, intent(in) :: number
    integer, intent(out), optional :: status

    call send(ompprof_command_phase_begin, number, c_null_ptr, status)
  end subroutine

  subroutine ompprof_phase_end(status)
    integer, intent(out), optional :: status

    call send(ompprof_command_phase_end, 0, c_null_ptr, status)
  end subroutine

  subroutine ompprof_start(status)
    integer, intent(out), optional :: status

    call send(ompprof_command_start, 0, c_null_ptr, status)
  end subroutine

  subroutine ompprof_pause(status)
    integer, intent(out), optional :: status

    call send(ompprof_command_pause, 0, c_null_ptr, status)
  end subroutine

  subroutine ompprof_flush(status)
    integer, intent(out), optional :: status

    call send(ompprof_command_flush, 0, c_null_ptr, status)
  end subroutine

  subroutine ompprof_end(status)
    integer, intent(out), optional :: status

    call send(ompprof_command_end, 0, c_null_ptr, status)
  end subroutine

end module ompprof
