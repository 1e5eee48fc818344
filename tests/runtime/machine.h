/* SPDX-License-Identifier: Apache-2.0 */
/* What the scripted runtime does in its own way on each processor. */
#ifndef OMPPROF_TESTS_RUNTIME_MACHINE_H
#define OMPPROF_TESTS_RUNTIME_MACHINE_H

#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

/*
 * machine_send: sends a signal to a thread, without a call: so the signal interrupts the caller.
 * machine_step_on, machine_step_off: from the instruction after the next on, a SIGTRAP comes after
 * each instruction, until `off`. machine_step_end does the same as `off` in the SIGTRAP's handler.
 * Where MACHINE_CAN_STEP is 0 these do nothing. machine_pc: where a signal has interrupted.
 * machine_write_jump: writes code that jumps to `target`, at most MACHINE_JUMP_BYTES.
 */
enum { MACHINE_JUMP_BYTES = 16 };

#if defined(__x86_64__)

enum { MACHINE_CAN_STEP = 1, MACHINE_TRAP_FLAG = 0x100 };

static inline __attribute__((always_inline)) void machine_send(
	long pid, long tid, long signal, const void *info)
{
	register long fourth __asm__("r10") = (long)info;
	long call = SYS_rt_tgsigqueueinfo;

	__asm__ volatile("syscall"
			 : "+a"(call)
			 : "D"(pid), "S"(tid), "d"(signal), "r"(fourth)
			 : "rcx", "r11", "memory");
}

/* Below the stack pointer the compiler may keep something. */
#define MACHINE_CHANGE_FLAGS(how)                                                                  \
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\t" how                                \
			 ", (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::"i"(MACHINE_TRAP_FLAG)    \
			 : "memory", "cc")

static inline __attribute__((always_inline)) void machine_step_on(void)
{
	MACHINE_CHANGE_FLAGS("orq %0");
}

static inline __attribute__((always_inline)) void machine_step_off(void)
{
	MACHINE_CHANGE_FLAGS("andq $~%c0");
}

static inline void machine_step_end(void *ucontext)
{
	((ucontext_t *)ucontext)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)MACHINE_TRAP_FLAG;
}

static inline uint64_t machine_pc(const void *ucontext)
{
	return (uint64_t)((const ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RIP];
}

/* movabs $target, %rax; jmp *%rax */
static inline void machine_write_jump(void *code, const void *target)
{
	memcpy(code, "\x48\xb8", 2);
	memcpy((char *)code + 2, &target, sizeof(target));
	memcpy((char *)code + 10, "\xff\xe0", 2);
}

#elif defined(__aarch64__)

/* Only a debugger can step. */
enum { MACHINE_CAN_STEP = 0 };

static inline __attribute__((always_inline)) void machine_send(
	long pid, long tid, long signal, const void *info)
{
	register long call __asm__("x8") = SYS_rt_tgsigqueueinfo;
	register long first __asm__("x0") = pid;
	register long second __asm__("x1") = tid;
	register long third __asm__("x2") = signal;
	register const void *fourth __asm__("x3") = info;

	__asm__ volatile("svc #0"
			 : "+r"(first)
			 : "r"(call), "r"(second), "r"(third), "r"(fourth)
			 : "memory");
}

static inline void machine_step_on(void)
{
}

static inline void machine_step_off(void)
{
}

static inline void machine_step_end(void *ucontext)
{
}

static inline uint64_t machine_pc(const void *ucontext)
{
	return ((const ucontext_t *)ucontext)->uc_mcontext.pc;
}

/* ldr x16, the next word but one; br x16 */
static inline void machine_write_jump(void *code, const void *target)
{
	const uint32_t jump[] = { 0x58000050, 0xd61f0200 };

	memcpy(code, jump, sizeof(jump));
	memcpy((char *)code + sizeof(jump), &target, sizeof(target));
	__builtin___clear_cache((char *)code, (char *)code + sizeof(jump));
}

#endif
#endif
