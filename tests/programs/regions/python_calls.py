# SPDX-License-Identifier: Apache-2.0
# python_calls.py LIBRARY SECONDS: ten parts of work that take SECONDS of CPU time each, each by another
# way: nested calls, recursion, a generator, a callback from C, a sort's key, a thread, a region at two lines.
import ctypes
import sys
import threading
import time

library = ctypes.CDLL(sys.argv[1])
library.region.argtypes = [ctypes.c_double]
share = float(sys.argv[2])


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(100))


def inner():
    burn(share)


def outer():
    inner()


def recurse(n):
    if n:
        recurse(n - 1)
    else:
        burn(share)


def produce():
    for _ in range(10):
        burn(share / 10)
        yield 1


@ctypes.CFUNCTYPE(None)
def from_c():
    burn(share)


def key(value):
    burn(share / 10)
    return value


def regions():
    library.region(share / 2)
    for _ in range(3):
        library.region(share / 2)


def all_parts():
    outer()
    recurse(20)
    sum(produce())
    library.call_back(from_c)
    sorted(range(10), key=key)
    thread = threading.Thread(target=outer)
    thread.start()
    thread.join()
    regions()


all_parts()
