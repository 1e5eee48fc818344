# SPDX-License-Identifier: Apache-2.0
"""Single-steps an AArch64 program in qemu and writes down what tests/unit/unwinder/walk_aarch64.c replays.

usage: record_aarch64.py QEMU PROGRAM OUTPUT

At each instruction: which registers and which words of the stack have changed, and the true stack of
calls, which is kept by the calls and returns that the instructions are, without unwind data. Now and
then a signal is sent.

The recording is a line of text and numbers in LEB128 (s: signed):

  image:  address, number of bytes, the bytes (code, .eh_frame_hdr and .eh_frame), address of
          .eh_frame_hdr
  stack:  first address, number of bytes
  n, and n steps of
          n changed registers, of each: number, s difference
          n changed words at or above the stack pointer, of each: s distance in words from the one
              before (at first: from the stack pointer), s difference
          n calls that ended; n that began, of each: kind, return address, CFA of the called
              function, and with kind CALL_DIRECT its address
"""
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

FIRST_LINE = b"ompprof recorded aarch64 steps 1\n"
CALL_DIRECT, CALL_INDIRECT, CALL_SIGNAL, CALL_HANDLER = 1, 2, 3, 4
X8, X30, SP, PC = 8, 30, 31, 32
N_REGISTERS = 33
SIGNALS = (30, 31)  # SIGUSR1, SIGUSR2, as the protocol numbers them
STEPS_BETWEEN_SIGNALS = 43
MAX_STEPS = 10000


class Program:
    """What is where, by the sections and symbols of the ELF file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.file = file.read()
        begin, = struct.unpack_from("<Q", self.file, 40)
        n, names = struct.unpack_from("<HH", self.file, 60)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.file, begin + 64 * i) for i in range(n)]
        self.sections = {self.text(headers[names][4] + h[0]): h for h in headers}
        table, strings = self.sections[".symtab"], self.sections[".strtab"]
        self.symbols = {}
        for at in range(table[4], table[4] + table[5], 24):
            name, _, _, _, value, size = struct.unpack_from("<IBBHQQ", self.file, at)
            self.symbols[self.text(strings[4] + name)] = (value, size)

    def text(self, offset):
        return self.file[offset:self.file.index(b"\0", offset)].decode()

    def image(self):
        """The address and bytes of the code and of what is behind it, to the unwind data's end."""
        first, last = self.sections[".text"], self.sections[".eh_frame"]
        return first[3], self.file[first[4]:last[4] + last[5]]

    def instruction(self, address):
        text = self.sections[".text"]
        return struct.unpack_from("<I", self.file, address - text[3] + text[4])[0]


class Machine:
    """The program, through the protocol that gdb speaks."""

    def __init__(self, qemu, program):
        path = tempfile.mktemp()
        self.process = subprocess.Popen([qemu, "-cpu", "max", "-seed", "1", "-g", path, program])
        for _ in range(100):
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.1)
        self.buffer = b""
        self.ask(b"?")

    def take(self):
        while True:
            begin = self.buffer.find(b"$")
            end = self.buffer.find(b"#", begin)
            if begin >= 0 and 0 <= end <= len(self.buffer) - 3:
                answer = self.buffer[begin + 1:end]
                self.buffer = self.buffer[end + 3:]
                self.socket.sendall(b"+")
                return answer
            part = self.socket.recv(1 << 20)
            if not part:
                return b"W00"
            self.buffer += part

    def ask(self, packet):
        self.socket.sendall(b"$%s#%02x" % (packet, sum(packet) % 256))
        return self.take()

    def registers(self):
        return list(struct.unpack("<33Q", bytes.fromhex(self.ask(b"g").decode())[:8 * N_REGISTERS]))

    def memory(self, address, n_bytes):
        parts = []
        while n_bytes:
            n = min(n_bytes, 2000)
            parts.append(bytes.fromhex(self.ask(b"m%x,%x" % (address, n)).decode()))
            address += n
            n_bytes -= n
        return b"".join(parts)

    def step(self, signal=0):
        """Executes an instruction, of the handler if a signal is sent; returns False at the end."""
        packet = b"vCont;S%02x" % signal if signal else b"vCont;s"
        return not self.ask(packet).startswith((b"W", b"X"))


class Calls:
    """The calls that have not ended, outermost first, and what has changed since the last look."""

    def __init__(self):
        self.open = []  # kind, return address, CFA, target
        self.n_ended = 0
        self.begun = []

    def begin(self, kind, return_address, cfa, target=0):
        self.open.append((kind, return_address, cfa, target))
        self.begun.append(self.open[-1])

    def end(self, kinds, pc, sp):
        kind, return_address, cfa, _ = self.open.pop()
        if kind not in kinds or return_address != pc or cfa != sp:
            sys.exit("a return to %#x with sp %#x is not of the last call" % (pc, sp))
        if self.begun:
            self.begun.pop()
        else:
            self.n_ended += 1

    def follow(self, program, old, new):
        """Takes one step between two states of the registers for what its instruction is."""
        instruction = program.instruction(old[PC])
        if instruction & 0xfc000000 == 0x94000000:
            self.begin(CALL_DIRECT, old[PC] + 4, new[SP], new[PC])
        elif instruction & 0xfffffc1f == 0xd63f0000:
            self.begin(CALL_INDIRECT, old[PC] + 4, new[SP])
        elif instruction & 0xfffffc1f == 0xd65f0000 or instruction in (0xd65f0bff, 0xd65f0fff):
            self.end((CALL_DIRECT, CALL_INDIRECT, CALL_HANDLER), new[PC], new[SP])
        elif instruction == 0xd4000001:
            self.follow_system_call(program, old, new)

    def follow_system_call(self, program, old, new):
        """The step may have been two: the emulator does not stop between."""
        after = list(old)
        after[PC] += 4
        if old[X8] == 139:
            _, after[PC], after[SP], _ = self.open[-1]
            self.end((CALL_SIGNAL,), after[PC], after[SP])
        if after[PC] != new[PC]:
            self.follow(program, after, new)

    def interrupt(self, old, new):
        self.begin(CALL_SIGNAL, old[PC], old[SP])
        self.begin(CALL_HANDLER, new[X30], new[SP])

    def n_signals(self):
        return sum(kind == CALL_SIGNAL for kind, *_ in self.open)

    def changes(self):
        taken = self.n_ended, self.begun
        self.n_ended, self.begun = 0, []
        return taken


class Recording:
    def __init__(self):
        self.parts = []

    def unsigned(self, *values):
        for value in values:
            while value >= 0x80:
                self.parts.append(bytes([value & 0x7f | 0x80]))
                value >>= 7
            self.parts.append(bytes([value]))

    def difference(self, new, old):
        value = (new - old + (1 << 63)) % (1 << 64) - (1 << 63)
        while not -64 <= value < 64:
            self.parts.append(bytes([value & 0x7f | 0x80]))
            value >>= 7
        self.parts.append(bytes([value & 0x7f]))

    def registers(self, old, new):
        changed = [i for i in range(N_REGISTERS) if old[i] != new[i]]
        self.unsigned(len(changed))
        for i in changed:
            self.unsigned(i)
            self.difference(new[i], old[i])

    def words(self, stack, sp, memory):
        """stack: what was there, a list of words, from sp on; becomes what memory has."""
        new = struct.unpack("<%dQ" % (len(memory) // 8), memory)
        first = len(stack) - len(new)
        changed = [i for i in range(len(new)) if stack[first + i] != new[i]]
        self.unsigned(len(changed))
        at = 0
        for i in changed:
            self.unsigned(i - at)
            self.difference(new[i], stack[first + i])
            stack[first + i] = new[i]
            at = i

    def calls(self, calls):
        n_ended, begun = calls.changes()
        self.unsigned(n_ended, len(begun))
        for kind, return_address, cfa, target in begun:
            self.unsigned(kind, return_address, cfa)
            if kind == CALL_DIRECT:
                self.unsigned(target)


def run_to(machine, address):
    while machine.registers()[PC] != address:
        if not machine.step():
            sys.exit("the program has ended before its begin")


class Signals:
    """Which signal is sent when: now and then, once there are handlers; a few in a handler."""

    def __init__(self, program):
        self.begin = program.symbols["shapes"][0]
        self.returns = range(program.symbols["return_bare"][0], program.symbols["return_cfi"][0] + 8)
        self.can_send = False
        self.n_steps = self.n_sent = 0
        self.until_inner = 0
        self.outer = 0  # which signal's handler can be interrupted

    def next(self, pc, n_active):
        """One that is not blocked, or 0; none where a handler returns to the kernel."""
        self.can_send |= pc == self.begin
        if not self.can_send or n_active > 1 or pc in self.returns:
            return 0
        if n_active == 1:
            self.until_inner -= 1
            if self.until_inner:
                return 0
        else:
            self.n_steps += 1
            if self.n_steps % STEPS_BETWEEN_SIGNALS:
                return 0
            self.outer = 1 - self.outer
            self.until_inner = 7 * (self.n_sent % 5) if self.n_sent % 3 == 0 else 0
        self.n_sent += 1
        return SIGNALS[self.outer ^ n_active]


def record(machine, program, recording):
    """Records all steps; returns how many, and how many signals were sent."""
    low, n_bytes = program.symbols["stack_room"]
    stack, old, calls = [0] * (n_bytes // 8), [0] * N_REGISTERS, Calls()
    signals = Signals(program)
    new = machine.registers()
    calls.begin(CALL_DIRECT, new[X30], new[SP], new[PC])
    n = 0
    while n < MAX_STEPS:
        recording.registers(old, new)
        recording.words(stack, new[SP], machine.memory(new[SP], low + n_bytes - new[SP]))
        recording.calls(calls)
        n += 1
        old = new
        signal = signals.next(old[PC], calls.n_signals())
        if not machine.step(signal):
            break
        new = machine.registers()
        if signal:
            calls.interrupt(old, new)
        else:
            calls.follow(program, old, new)
    return n, signals.n_sent


def main(qemu, path, output):
    program, machine = Program(path), Machine(qemu, path)
    header, steps = Recording(), Recording()
    try:
        run_to(machine, program.symbols["start"][0])
        n, n_signals = record(machine, program, steps)
    finally:
        machine.process.kill()
        machine.process.wait()
    address, image = program.image()
    header.unsigned(address, len(image))
    header.parts.append(image)
    header.unsigned(program.sections[".eh_frame_hdr"][3], *program.symbols["stack_room"], n)
    with open(output, "wb") as file:
        file.write(FIRST_LINE + b"".join(header.parts + steps.parts))
    print("%s: %d steps, %d signals, %d bytes" % (output, n, n_signals, os.path.getsize(output)))


if __name__ == "__main__":
    main(*sys.argv[1:])
