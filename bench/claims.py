#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What threads share: what a claim takes (bench/claims), and how many there are in real runs, counted in the profiles of the
kernels: segments of the file, and records in segments that threads share. `make bench-claims` runs it in the build folder;
README there has its variables. It judges nothing."""
import os
import shutil
import struct
import subprocess
import tempfile

SEGMENT = 16384
THREADS, TIMELINE = 2, 9
SHARED = {2: 'threads', 3: 'objects', 5: 'regions', 6: 'mutexes'}
RUNS = [('compute', 2, []), ('regions', 2, []), ('tasks', 2, []), ('locks', 2, []), ('recursion', 2, []),
        ('stencil', 2, []), ('barriers', 2, ['--trace']), ('regions', 2, ['--trace']), ('compute', 64, []),
        ('compute', 1024, [])]
FACTOR = '0.2'  # of the kernels' work: what is claimed once weighs the more


def count(path):
    """The claims in a profile: segments, records by kind, thread seconds, what found no place."""
    with open(path, 'rb') as file:
        data = file.read()
    n_segments, = struct.unpack_from('<I', data, 24)
    last, = struct.unpack_from('<Q', data, 56)
    found = {'segments': n_segments - 1, 'records': 0, 'seconds': 0.0, 'lost': struct.unpack_from('<Q', data, 112)[0]}
    for at in range(SEGMENT, n_segments * SEGMENT, SEGMENT):
        kind, record_bytes, used, _ = struct.unpack_from('<4I', data, at)
        if kind in SHARED:
            found['records'] += used
        if kind == TIMELINE:
            found['lost'] += struct.unpack_from('<Q', data, at + 120)[0]
        if kind != THREADS:
            continue
        for record in range(at + record_bytes, at + record_bytes * (used + 1), record_bytes):
            start, end = struct.unpack_from('<QQ', data, record + 24)
            found['seconds'] += ((end or last) - start) / 1e9
            found['lost'] += struct.unpack_from('<Q', data, record + 144)[0]
    return found


def profile(kernel, threads, options, folder):
    out = os.path.join(folder, 'profile')
    command = ['./ompprof', 'run', '-q', *options, '-o', out, '--', 'bench/kernels/' + kernel, FACTOR]
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_STACKSIZE='256k')
    if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        return None
    name, = (name for name in os.listdir(out) if name.endswith('.ompprof'))
    found = count(os.path.join(out, name))
    shutil.rmtree(out)
    return found


def main():
    subprocess.run(['bench/claims'], check=False)
    if os.environ.get('BENCH_REAL') == '0':
        return
    print()
    print(f"{'claims of':16} {'threads':>7} {'thread s':>8} {'segments':>8} {'records':>8} {'a thread and s':>14} {'lost':>5}")
    with tempfile.TemporaryDirectory(prefix='ompprof-bench.') as folder:
        for kernel, threads, options in RUNS:
            found = profile(kernel, threads, options, folder)
            if not found:
                print(f'{kernel:16} does not run')
                continue
            n = found['segments'] + found['records']
            print(f"{' '.join([kernel, *options]):16} {threads:7} {found['seconds']:8.2f} {found['segments']:8} "
                  f"{found['records']:8} {n / found['seconds']:14.1f} {found['lost']:5}")


main()
