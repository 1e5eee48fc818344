#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random.py well|ill FIRST LAST: scripts of random events, a case for each seed, for tests/runtime/scripted.

`well`: a program that follows the specification: regions of teams of changing size, nested ones, barriers, mutexes, tasks,
waits. A model of it goes along, of which each case expects the exact figures: what was waited for, by whom and where, how
long mutexes were held and whom that delayed, how often and how long regions were executed.

`ill`: events in any order on any thread: ends without begins, unknown values, NULL for every object, foreign data, frames
and addresses that are wrong. The case expects what holds for every case: that the tool lives, says nothing, and that its
profile can be read and has all samples."""
import random
import sys

WORK = ["work_a", "work_b", "work_c", "work_d", "solve", "kernel", "reduce", "update"]
BODIES = ["body_a", "body_b", "body_c", "body_d"]
SITES = ["alpha", "beta", "delta", "epsilon"]
TASKS = ["task_a", "task_b", "task_c", "task_d"]
MUTEXES = ["M", "N"]
STRUCK = ["locked", "unlock", "task_create", "waits", "waited", "executes", "executed", "parallel", "end", "member",
          "closes", "closed", "implicit_task", "parallel_end"]  # before one of whose instructions a signal can come
KINDS = {"barrier_explicit": "explicit", "barrier_implicit_workshare": "workshare"}


class Sums(dict):
    """Figures by what they are of."""

    def add(self, key, value):
        self[key] = self.get(key, 0) + value


class Thread:
    def __init__(self, name):
        self.name = name
        self.calls = []  # functions called in the current region's body
        self.holds = None
        self.wants = None  # mutex
        self.since = 0
        self.barrier = None  # (kind, arrival)
        self.left_team_at = None
        self.last_idle = None
        self.is_off = False


class Model:
    """A program and its truth. All lengths are so long that every event is timed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.now = 0
        self.waits = Sums()  # (thread, kind) -> [ns]
        self.n_waits = Sums()
        self.places = Sums()  # (thread, kind, function)
        self.holds = Sums()
        self.acquired = Sums()
        self.blame = Sums()  # (thread, mutex)
        self.regions = Sums()  # site -> n, ns, thread ns
        self.wall = Sums()
        self.team_wall = Sums()
        self.tasks = Sums()
        self.imbalance = Sums()
        self.release = Sums()
        self.passed = Sums()
        self.member = Sums()  # (thread, site)
        self.holder = {}  # mutex -> (thread, since)
        self.n = 0
        self.threads = {"A": Thread("A")}
        self.has_tasks = False

    def say(self, line):
        name, verb = (line.split() + [""])[:2]
        is_struck = name in self.threads and verb in STRUCK and self.random.random() < 0.1
        if is_struck:
            self.lines.append("  %s interrupt instruction %d" % (name, self.random.randint(1, 600)))
        self.lines.append("  " + line)
        if is_struck:  # a signal that comes as the event ends is taken by the next one: by one that changes nothing
            self.lines += ["  %s nest_lock begin L" % name] * 2

    def name(self, what):
        self.n += 1
        return "%s%d" % (what, self.n)

    def go_on(self, most=400):
        us = 8 * self.random.randint(4, most // 8)  # arrivals at barriers are known to 64 ns
        self.say("run %dus" % us)
        self.now += us * 1000

    def perhaps_go_on(self):
        if self.random.random() < 0.6:
            self.go_on()
        if self.random.random() < 0.1:
            self.say("%s sample" % self.random.choice(list(self.threads)))

    def wait_ends(self, thread, kind, since, place=None, less=0):
        ns = self.now - since - less
        self.waits.add((thread.name, kind), ns)
        self.n_waits.add((thread.name, kind), 1)
        if place:
            self.places.add((thread.name, kind, place), ns)

    def function_of(self, thread):
        return thread.calls[-1] if thread.calls else None

    # What a thread of a team does.

    def call(self, thread):
        function = self.random.choice(WORK)
        self.say("%s call %s" % (thread.name, function))
        thread.calls.append(function)

    def leave_function(self, thread):
        self.say("%s return" % thread.name)
        thread.calls.pop()

    def ask(self, thread):
        mutex = self.random.choice(MUTEXES)
        self.say("%s lock %s" % (thread.name, mutex))
        thread.wants = mutex
        thread.since = self.now
        if mutex not in self.holder:
            self.get(thread)

    def get(self, thread):
        mutex = thread.wants
        self.say("%s locked %s" % (thread.name, mutex))
        if self.now > thread.since:
            self.wait_ends(thread, "lock", thread.since, self.function_of(thread))
        self.acquired.add((thread.name, mutex), 1)
        self.holder[mutex] = (thread, self.now)
        thread.wants = None
        thread.holds = mutex

    def unlock(self, thread):
        mutex = thread.holds
        since = self.holder.pop(mutex)[1]
        self.say("%s unlock %s" % (thread.name, mutex))
        self.holds.add((thread.name, mutex), self.now - since)
        waiting = [t for t in self.threads.values() if t.wants == mutex]
        for other in waiting:
            self.blame.add((thread.name, mutex), self.now - max(since, other.since))
        thread.holds = None
        if waiting:
            if self.random.random() < 0.3:
                self.go_on()  # nobody has it meanwhile
            self.get(self.random.choice(waiting))

    def taskwait(self, thread, region):
        kind = self.random.choice(["taskwait", "taskgroup"])
        own = "%s.%s" % (region, thread.name)
        tasks = []
        for _ in range(self.random.randint(0, 2)):
            task = self.name("t")
            self.say("%s task_create %s" % (thread.name, task))
            self.tasks.add(self.function_of(thread), 1)
            self.has_tasks = True
            tasks.append(task)
        self.say("%s waits %s" % (thread.name, kind))
        since, away = self.now, 0
        self.go_on()
        for task in tasks:
            begin = self.now
            self.say("%s executes %s %s %s" % (thread.name, task, own, self.random.choice(TASKS)))
            self.go_on()
            self.say("%s executed %s %s" % (thread.name, task, own))
            away += self.now - begin
            self.go_on()
        self.say("%s waited %s" % (thread.name, kind))
        self.wait_ends(thread, kind, since, self.function_of(thread), away)

    def nested(self, thread):
        region, site = self.name("S"), self.function_of(thread)
        begin = self.now
        self.say("%s parallel %s 1 %s" % (thread.name, region, self.random.choice(BODIES)))
        self.go_on()
        self.say("%s end %s 1" % (thread.name, region))
        self.count_region(site, begin, 1)

    def count_region(self, site, begin, n):
        self.regions.add(site, 1)
        self.wall.add(site, self.now - begin)
        self.team_wall.add(site, (self.now - begin) * n)

    def act(self, thread, region):
        if thread.holds and self.random.random() < 0.5:
            self.unlock(thread)
            return
        what = self.random.random()
        if what < 0.25 and len(thread.calls) < 3:
            self.call(thread)
        elif what < 0.4 and len(thread.calls) > 1:
            self.leave_function(thread)
        elif what < 0.6 and not thread.holds and thread.calls:
            self.ask(thread)
        elif what < 0.7 and not thread.holds and thread.calls:
            self.taskwait(thread, region)
        elif what < 0.75 and not thread.holds and thread.calls:
            self.nested(thread)
        elif what < 0.8:
            thread.is_off = not thread.is_off
            self.say("%s %s" % (thread.name, "off" if thread.is_off else "on"))
        self.perhaps_go_on()

    # What a team does together.

    def work(self, team, region):
        """Up to a barrier, at which all of them arrive."""
        for _ in range(self.random.randint(3, 12)):
            free = [t for t in team if not t.wants]
            if free:
                self.act(self.random.choice(free), region)
        for _ in range(100):  # nobody comes to a barrier with a mutex, or waiting for one
            holding = [t for t in team if t.holds]
            if not holding:
                break
            self.unlock(holding[0])

    def barrier(self, team, site):
        kind = self.random.choice(list(KINDS))
        arrived = {}
        order = list(team)
        self.random.shuffle(order)
        for thread in order:
            self.perhaps_go_on()
            if not thread.calls:
                self.call(thread)
            self.say("%s waits %s" % (thread.name, kind))
            arrived[thread.name] = self.now
        self.go_on()
        self.random.shuffle(order)
        for thread in order:
            self.say("%s waited %s" % (thread.name, kind))
            if len(team) > 1 and thread.name == "A":
                self.pass_barrier(site, arrived)
            self.wait_ends(thread, KINDS[kind], arrived[thread.name], self.function_of(thread))
            self.perhaps_go_on()

    def pass_barrier(self, site, arrived):
        last = max(arrived.values())
        self.imbalance.add(site, sum(last - at for at in arrived.values()))
        self.release.add(site, (self.now - last) * len(arrived))
        self.passed.add(site, len(arrived))

    def join(self, thread, region, n, index, body):
        if thread.name == "A":
            self.say("A parallel %s %d %s" % (region, n, body))
        else:
            if thread.last_idle is not None:
                self.say("%s closed" % thread.name)
                place = self.random.choice([thread.last_idle, "Elsewhere"])
                self.say("%s implicit_task end - %s n=0 index=%d" % (thread.name, place, thread.last_index))
            idle = "idle_before" if thread.left_team_at is None else "idle_between"
            self.waits.add((thread.name, idle), self.now - thread.idle_since)
            self.say("%s member %s %d %d %s" % (thread.name, region, n, index, body))
            thread.last_idle, thread.last_index = "%s.%s" % (region, thread.name), index

    def region(self, site):
        region, n = self.name("R"), self.random.randint(1, 4)
        for name in "BCD"[: n - 1]:
            if name not in self.threads:
                self.say("%s worker" % name)
                self.threads[name] = Thread(name)
                self.threads[name].idle_since = self.now
                self.perhaps_go_on()
        team = [self.threads[name] for name in "ABCD"[:n]]
        body, begin = self.random.choice(BODIES), self.now
        self.say("A call %s" % site)
        begins = {}
        for index, thread in enumerate(team):
            self.join(thread, region, n, index, body)
            begins[thread.name] = self.now
            self.perhaps_go_on()
        for _ in range(self.random.randint(0, 2)):
            self.work(team, region)
            self.barrier(team, site)
        self.work(team, region)
        self.close(team, region, n, site, begin, begins)

    def close(self, team, region, n, site, begin, begins):
        order, arrived = list(team), {}
        self.random.shuffle(order)
        for thread in order:
            while thread.calls:
                self.leave_function(thread)
            self.say("%s return" % thread.name)
            self.say("%s closes" % thread.name)
            arrived[thread.name] = self.now
            self.perhaps_go_on()
        self.go_on()
        self.say("A closed")
        if n > 1:
            self.pass_barrier(site, arrived)
        self.say("A implicit_task end - %s.A n=%d" % (region, n))
        self.say("A parallel_end %s" % region)
        for thread in team:
            self.wait_ends(thread, "closing", arrived[thread.name])
            self.member.add((thread.name, site), self.now - begins[thread.name])
            if thread.name != "A":
                thread.left_team_at = thread.idle_since = self.now
        self.count_region(site, begin, n)
        self.say("A leave")
        self.say("A return")
        self.perhaps_go_on()

    def play(self):
        if self.random.random() < 0.3:
            self.say("setting OMPPROF_EVENTS=all")
        for _ in range(self.random.randint(1, 4)):
            self.region(self.random.choice(SITES))
        for thread in self.threads.values():
            if thread.name != "A":
                idle = "idle_before" if thread.left_team_at is None else "idle_after"
                self.waits.add((thread.name, idle), self.now - thread.idle_since)

    def expect(self, what, value):
        self.say("expect %s = %d" % (what, value))

    def expectations(self):
        for (thread, kind), ns in self.waits.items():
            self.expect("wait.time wait=%s thread=%s" % (kind, thread), ns)
        for (thread, kind), n in self.n_waits.items():
            self.expect("wait.n wait=%s thread=%s" % (kind, thread), n)
        for (thread, kind, function), ns in self.places.items():
            self.expect("wait.time wait=%s thread=%s at=%s" % (kind, thread, function), ns)
        for (thread, mutex), ns in self.holds.items():
            self.expect("locks.held mutex=%s thread=%s" % (mutex, thread), ns)
        for (thread, mutex), n in self.acquired.items():
            self.expect("locks.n_acquired mutex=%s thread=%s" % (mutex, thread), n)
        for mutex in {mutex for _, mutex in self.acquired}:
            for thread in self.threads:
                self.expect("blame wait=lock flags=0 mutex=%s thread=%s" % (mutex, thread),
                            self.blame.get((thread, mutex), 0))
        for site, n in self.regions.items():
            self.expect("region.n at=%s" % site, n)
            self.expect("regions.wall at=%s" % site, self.wall[site])
            self.expect("regions.team_wall at=%s" % site, self.team_wall[site])
        for site in self.imbalance if not self.has_tasks else ():
            self.expect("regions.imbalance at=%s" % site, self.imbalance[site])
            most = self.release[site]
            self.say("expect regions.release at=%s <= %d" % (site, most))
            self.say("expect regions.release at=%s >= %d" % (site, most - 64 * self.passed[site]))
        for site, n in self.tasks.items():
            self.expect("task.n at=%s" % site, n)
        for (thread, site), ns in self.member.items():
            self.expect("context.time thread=%s in=%s" % (thread, site), ns)


def well(seed):
    model = Model(seed)
    model.play()
    model.expectations()
    return model.lines


class Chaos:
    """Events without sense, of all kinds, on threads that the tool knows and on others."""

    FRAMES = ["here", "-", "none", "stale", "wild"]
    PLACES = ["here", "-", "runtime", "alpha", "0x7000dead0000"]
    VALUES = ["0", "99", "0x7fffffff"]

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = {"A": []}
        self.clocked = {"A"}
        self.n = 0

    def pick(self, *words):
        return self.random.choice(words)

    def value(self, *names):
        """One of the names of an enumeration; at times one that is not known."""
        return self.random.choice(self.VALUES) if self.random.random() < 0.15 else self.pick(*names)

    def region(self):
        return self.pick("R1", "R2", "R3", "-")

    def task(self):
        return self.pick("T1", "T2", "T3", "T4", "-")

    def mutex(self):
        return self.pick("M1", "M2", "0", "0xffffffffffffffff")

    def end(self):
        return self.value("begin", "end", "beginend")

    def common(self):
        words = []
        if self.random.random() < 0.3:
            words.append("ra=" + self.random.choice(self.PLACES))
        if self.random.random() < 0.3:
            words.append("frame=" + self.random.choice(self.FRAMES))
        if self.random.random() < 0.3:
            words.append("task=" + self.task())
        if self.random.random() < 0.3:
            words.append("parallel=" + self.region())
        return " ".join(words)

    def event(self):
        sync = self.value("barrier", "barrier_implicit", "barrier_explicit", "barrier_implementation", "taskwait",
                          "taskgroup", "reduction", "barrier_implicit_workshare", "barrier_implicit_parallel",
                          "barrier_teams")
        mutex = self.value("lock", "test_lock", "nest_lock", "test_nest_lock", "critical", "atomic", "ordered")
        op = self.value("alloc", "transfer_to_device", "transfer_from_device", "delete", "associate",
                        "disassociate", "alloc_async", "delete_async")
        target = self.value("target", "enter_data", "exit_data", "update", "nowait", "update_nowait")
        number = self.pick("0", "1", "2", "64", "100000", "0xffffffff")
        return self.pick(
            "thread_begin %s" % self.value("initial", "worker", "other", "unknown"),
            "thread_end",
            "parallel_begin %s n=%s flags=%s" % (self.region(), number, self.value("program,team", "league", "team")),
            "parallel_end %s flags=%s" % (self.region(), self.value("program,team", "league")),
            "implicit_task begin %s %s n=%s index=%s flags=%s" % (
                self.region(), self.task(), number, number, self.value("implicit", "initial")),
            "implicit_task end %s %s n=%s index=%s flags=%s" % (
                self.region(), self.task(), number, number, self.value("implicit", "initial")),
            "work %s %s count=%s" % (self.value("loop", "sections", "single_executor", "single_other", "workshare",
                                               "distribute", "taskloop", "scope"), self.end(), number),
            "dispatch %s %s" % (self.value("iteration", "section", "ws_loop_chunk"), number),
            "task_create %s flags=%s deps=%s" % (
                self.task(), self.value("explicit", "explicit,undeferred", "target", "initial", "taskwait"), number),
            "dependences %s in:a out:b %s:c" % (self.task(), self.value("inout", "source", "sink", "inoutset")),
            "task_dependence %s %s" % (self.task(), self.task()),
            "task_schedule %s %s %s" % (
                self.task(), self.value("complete", "yield", "cancel", "detach", "early_fulfill", "late_fulfill",
                                        "switch", "taskwait_complete"), self.task()),
            "masked %s" % self.end(),
            "sync_region %s %s" % (sync, self.end()),
            "sync_region_wait %s %s" % (sync, self.end()),
            "sync_region_wait %s %s" % (sync, self.end()),
            "reduction %s %s" % (sync, self.end()),
            "lock_init %s %s" % (mutex, self.mutex()),
            "lock_destroy %s %s" % (mutex, self.mutex()),
            "mutex_acquire %s %s hint=%s impl=%s" % (mutex, self.mutex(), number, number),
            "mutex_acquired %s %s" % (mutex, self.mutex()),
            "mutex_acquired %s %s" % (mutex, self.mutex()),
            "mutex_released %s %s" % (mutex, self.mutex()),
            "nest_lock %s %s" % (self.end(), self.mutex()),
            "flush",
            "control_tool %s %s returns=0x7fffffff" % (
                self.pick("1", "2", "3", "4", "5", "64", "65", "0", "0xffffffffffffffff"), number),
            "cancel %s" % self.value("parallel,activated", "taskgroup,detected", "discarded_task"),
            "error %s %s" % (self.value("warning", "fatal"), self.pick("-", "text")),
            "target %s %s device=%s id=%s" % (target, self.end(), number, number),
            "target_emi %s %s %s device=%s target_task=%s" % (
                target, self.end(), self.pick("X1", "X2", "-"), number, self.task()),
            "target_data_op %s id=%s op=%s bytes=%s" % (op, number, number, number),
            "target_data_op_emi %s %s %s %s bytes=%s" % (
                self.end(), op, self.pick("X1", "X2", "-"), self.pick("O1", "O2", "-"), number),
            "target_submit id=%s op=%s teams=%s" % (number, number, number),
            "target_submit_emi %s %s %s teams=%s" % (
                self.end(), self.pick("X1", "X2", "-"), self.pick("O1", "O2", "-"), number),
            "target_map id=%s 0x1000:0x2000:4096:to" % number,
            "target_map_emi %s 0x1000:0x2000:4096:to,from 0:0:0:99" % self.pick("X1", "X2", "-"),
            "device_initialize %s lookup=%s" % (self.pick("0", "1", "99"), self.pick("0", "1")),
            "device_finalize %s" % self.pick("0", "1", "99"),
            "device_load %s module=%s file=%s bytes=%s" % (self.pick("0", "99"), number, self.pick("-", "a"), number),
            "device_unload %s module=%s" % (self.pick("0", "99"), number),
        ) + " " + self.common()

    def other(self, thread):
        """What is no event."""
        calls = self.depth[thread]
        what = self.random.random()
        if what < 0.2 and len(calls) < 20:
            calls.append("call")
            return "call " + self.random.choice(WORK + BODIES)
        if what < 0.4 and calls:
            return {"call": "return", "enter": "leave"}[calls.pop()]
        if what < 0.5 and (calls or [""])[-1] == "call" and len(calls) < 20:
            calls.append("enter")
            return "enter"
        if what < 0.6:
            return "state " + self.pick("auto", "0x7777", "wait_lock M1", "wait_barrier", "idle", "undefined",
                                        "wait_target", "overhead", "wait_taskwait")
        if what < 0.7:
            return "frames " + self.pick("auto", "exit=wild enter=wild", "exit=stale", "enter=stale",
                                         "exit=here enter=here", "exit=none enter=none")
        if what < 0.8:
            return "info " + self.pick("none", "auto", "1")
        if what < 0.9:
            return self.pick("off", "on")
        return "signal code=%s" % self.pick("user", "user")

    def new_thread(self):
        self.n += 1
        name = "B%d" % self.n
        if self.random.random() < 0.3 and (self.depth["A"] or ["call"])[-1] == "call":
            self.lines.append("  native %s" % name)
            self.depth[name] = ["call"]
        else:
            self.lines.append("  thread %s" % name)
            self.depth[name] = ["enter"]
        # Its stack begins there.
        self.depth[name] = Base(self.depth[name])

    SETTINGS = ["OMPPROF_EVENTS=all", "OMPPROF_UNWIND=fp", "OMPPROF_EVENT=wall", "OMPPROF_START_PAUSED=1"]

    def play(self):
        for setting in self.SETTINGS:
            if self.random.random() < 0.25:
                self.lines.append("  setting " + setting)
        for _ in range(self.random.randint(20, 120)):
            thread = self.random.choice(list(self.depth))
            what = self.random.random()
            if what < 0.04 and len(self.depth) < 6:
                self.new_thread()
            elif what < 0.2:
                self.lines.append("  run %dus" % self.random.randint(1, 9000))
            elif what < 0.35:
                self.lines.append("  %s %s" % (thread, self.other(thread)))
            else:
                self.lines.append("  %s %s" % (thread, self.event()))
        return self.lines


class Base(list):
    """The calls of a thread; the first entry is where its stack begins, and stays."""

    def __bool__(self):
        return len(self) > 1


def ill(seed):
    return Chaos(seed).play()


def main():
    kind, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for seed in range(first, last + 1):
        print("case %s %d" % (kind, seed))
        print("\n".join({"well": well, "ill": ill}[kind](seed)))


if __name__ == "__main__":
    main()
