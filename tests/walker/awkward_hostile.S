/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library of awkward_hostile.c: functions whose rules lie. Each is called with (function,
 * argument), calls the function while rbx holds the argument, and returns as it should.
 * `hostile_rules` is the table of them: a name and an address each, the last one 0.
 */
	.text

	.macro	begin name
	.pushsection .rodata.str1.1, "aMS", @progbits, 1
1:	.asciz	"\name"
	.popsection
	.pushsection .data.rel.ro, "aw"
	.quad	1b, \name
	.popsection
	.type	\name, @function
\name:
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbx, -16
	movq	%rsi, %rbx
	.endm

	.macro	end name
	call	*%rdi
	.cfi_endproc
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.pushsection .data.rel.ro, "aw"
	.globl	hostile_rules
	.type	hostile_rules, @object
hostile_rules:
	.popsection

	/* The CFA: far away, on the wrong side, without progress, not aligned, in an unused register. */
	begin	cfa_far
	.cfi_def_cfa rsp, 0x7ffffff8
	end	cfa_far
	begin	cfa_far_down
	.cfi_def_cfa rsp, -0x7ffffff8
	end	cfa_far_down
	begin	cfa_below
	.cfi_def_cfa rsp, -64
	end	cfa_below
	begin	cfa_still
	.cfi_def_cfa rsp, 0
	end	cfa_still
	begin	cfa_odd
	.cfi_def_cfa rsp, 13
	end	cfa_odd
	begin	cfa_lost
	.cfi_def_cfa rax, 8
	end	cfa_lost
	begin	cfa_vector_register
	.cfi_def_cfa 40, 8
	end	cfa_vector_register
	begin	cfa_no_register
	.cfi_escape 0x0c, 0xff, 0xff, 0x7f, 0x08	/* def_cfa 2097151, 8 */
	end	cfa_no_register
	begin	cfa_factored_overflow
	/* def_cfa_sf rsp, -2^62 times the data alignment */
	.cfi_escape 0x12, 0x07, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40
	end	cfa_factored_overflow
	begin	cfa_in_code
	.cfi_escape 0x0f, 0x02, 0x80, 0x00		/* def_cfa_expression: breg16 0 */
	end	cfa_in_code

	/* The return address: lost, elsewhere, itself. */
	begin	ra_undefined
	.cfi_undefined rip
	end	ra_undefined
	begin	ra_same
	.cfi_same_value rip
	end	ra_same
	begin	ra_far
	.cfi_offset rip, 0x7ffffff8
	end	ra_far
	begin	ra_far_down
	.cfi_offset rip, -0x7ffffff8
	end	ra_far_down
	begin	ra_register
	.cfi_register rip, rbx
	end	ra_register
	begin	ra_register_lost
	.cfi_register rip, r10
	end	ra_register_lost
	begin	ra_value
	.cfi_val_offset rip, 0
	end	ra_value
	begin	sp_undefined
	.cfi_undefined rsp
	end	sp_undefined
	begin	sp_offset
	.cfi_offset rsp, -8
	end	sp_offset
	begin	sp_register
	.cfi_register rsp, rbx
	end	sp_register
	begin	signal_frame
	.cfi_signal_frame
	.cfi_def_cfa rsp, 8
	end	signal_frame

	/* Expressions: wild reads, endless, underflow, overflow, division by 0, unknown, cut off. */
	begin	read_null
	.cfi_escape 0x0f, 0x02, 0x30, 0x06		/* lit0, deref */
	end	read_null
	begin	read_kernel
	.cfi_escape 0x0f, 0x0a, 0x0e, 0x00, 0x10, 0x00, 0x00, 0x00, 0x80, 0xff, 0xff, 0x06
	end	read_kernel
	begin	read_beyond
	.cfi_escape 0x0f, 0x0a, 0x0e, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x06
	end	read_beyond
	begin	read_noncanonical
	.cfi_escape 0x0f, 0x0a, 0x0e, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x00, 0x06
	end	read_noncanonical
	begin	read_argument
	.cfi_escape 0x0f, 0x03, 0x73, 0x00, 0x06	/* breg3 0, deref */
	end	read_argument
	begin	read_sized
	.cfi_escape 0x0f, 0x04, 0x30, 0x94, 0x40, 0x06	/* lit0, deref_size 64, deref */
	end	read_sized
	begin	endless
	.cfi_escape 0x0f, 0x04, 0x31, 0x2f, 0xfc, 0xff	/* lit1, skip -4: to lit1 */
	end	endless
	begin	endless_branch
	.cfi_escape 0x0f, 0x05, 0x31, 0x31, 0x28, 0xfc, 0xff
	end	endless_branch
	begin	skip_out
	.cfi_escape 0x0f, 0x03, 0x2f, 0xff, 0x7f
	end	skip_out
	begin	underflow
	.cfi_escape 0x0f, 0x03, 0x22, 0x22, 0x22	/* plus, plus, plus */
	end	underflow
	begin	overflow
	.cfi_escape 0x0f, 0x40
	.rept	64
	.cfi_escape 0x31
	.endr
	end	overflow
	begin	pick_beyond
	.cfi_escape 0x0f, 0x03, 0x31, 0x15, 0xff	/* lit1, pick 255 */
	end	pick_beyond
	begin	divide
	.cfi_escape 0x0f, 0x03, 0x31, 0x30, 0x1b	/* lit1, lit0, div */
	end	divide
	begin	divide_overflow
	.cfi_escape 0x0f, 0x0c, 0x0e, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80
	.cfi_escape 0x31, 0x1f, 0x1b			/* the least number, lit1, neg, div */
	end	divide_overflow
	begin	modulo
	.cfi_escape 0x0f, 0x03, 0x31, 0x30, 0x1d	/* lit1, lit0, mod */
	end	modulo
	begin	unknown_operation
	.cfi_escape 0x0f, 0x02, 0xe0, 0xff
	end	unknown_operation
	begin	expression_too_long
	.cfi_escape 0x0f, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x31
	end	expression_too_long
	begin	ra_expression
	.cfi_escape 0x10, 0x10, 0x02, 0x30, 0x06	/* rip is where lit0, deref says */
	end	ra_expression

	/* Instructions: unknown, cut off, unbalanced, too many. */
	begin	unknown_instruction
	.cfi_escape 0x3f, 0x3f, 0x3f
	end	unknown_instruction
	begin	restore_unbalanced
	.cfi_escape 0x0b, 0x0b, 0x0b
	end	restore_unbalanced
	begin	remember_many
	.rept	1000
	.cfi_escape 0x0a
	.endr
	end	remember_many
	begin	advance_beyond
	.cfi_escape 0x04, 0xff, 0xff, 0xff, 0xff	/* advance_loc4 */
	end	advance_beyond
	begin	set_loc
	.cfi_escape 0x01, 0x00, 0x00, 0x00, 0x80
	end	set_loc
	begin	leb_endless
	.cfi_escape 0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01
	end	leb_endless
	begin	register_beyond
	.cfi_escape 0x05, 0xff, 0xff, 0x7f, 0x01	/* offset_extended 2097151, 1 */
	end	register_beyond
	begin	very_many
	.rept	60000
	.cfi_escape 0x0e, 0x10				/* def_cfa_offset 16 */
	.endr
	end	very_many

	.pushsection .data.rel.ro, "aw"
	.quad	0, 0
	.popsection

	/*
	 * hostile_follow(function, node): by its rules its caller is what the node says, which is
	 * { rbx of the caller, return address }, ending at the CFA. hostile_followed is a return
	 * address within it: a node that holds that leads to the next node.
	 */
	.globl	hostile_follow, hostile_followed
	.type	hostile_follow, @function
hostile_follow:
	.cfi_startproc
	pushq	%rbx
	movq	%rsi, %rbx
	.cfi_def_cfa rbx, 16
	.cfi_offset rbx, -16
	call	*%rdi
hostile_followed:
	nop
	popq	%rbx
	ret
	.cfi_endproc
	.size	hostile_follow, . - hostile_follow
	.type	hostile_followed, @object
	.size	hostile_followed, 1

	/*
	 * hostile_hop(function, place): the same, but as if a signal had come there on another stack:
	 * the place is { CFA, return address, rbx of the caller }, anywhere.
	 */
	.globl	hostile_hop, hostile_hopped
	.type	hostile_hop, @function
hostile_hop:
	.cfi_startproc
	.cfi_signal_frame
	pushq	%rbx
	movq	%rsi, %rbx
	.cfi_escape 0x0f, 0x03, 0x73, 0x00, 0x06	/* def_cfa_expression: breg3 0, deref */
	.cfi_escape 0x10, 0x10, 0x02, 0x73, 0x08	/* rip is where breg3 8 says */
	.cfi_escape 0x10, 0x03, 0x02, 0x73, 0x10	/* rbx is where breg3 16 says */
	call	*%rdi
hostile_hopped:
	nop
	popq	%rbx
	ret
	.cfi_endproc
	.size	hostile_hop, . - hostile_hop
	.type	hostile_hopped, @object
	.size	hostile_hopped, 1

	/*
	 * hostile_borrow(stack pointer), hostile_borrow_lying(stack pointer): use rsp for something
	 * else for a while. The first says where it is kept.
	 */
	.globl	hostile_borrow, hostile_borrow_lying
	.type	hostile_borrow, @function
hostile_borrow:
	.cfi_startproc
	movq	%rsp, %r11
	.cfi_def_cfa_register r11
	movq	%rdi, %rsp
	nop
	nop
	movq	%r11, %rsp
	.cfi_def_cfa_register rsp
	ret
	.cfi_endproc
	.size	hostile_borrow, . - hostile_borrow
	.type	hostile_borrow_lying, @function
hostile_borrow_lying:
	.cfi_startproc
	movq	%rsp, %r11
	movq	%rdi, %rsp
	nop
	nop
	movq	%r11, %rsp
	ret
	.cfi_endproc
	.size	hostile_borrow_lying, . - hostile_borrow_lying

	.section .note.GNU-stack, "", @progbits
