# SPDX-License-Identifier: Apache-2.0
# Debug information that is not in one piece: what dwz has taken out of two programs, and what a debuginfod server
# has. A report is as with all in one piece, but without the option it asks no server, whatever DEBUGINFOD_URLS says;
# and what reports keep (symbols.cache) is no less right for it.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
live_need gcc objcopy strip readelf python3 timeout
cd "$live_folder" || broken "no scratch folder"
unset LD_LIBRARY_PATH DEBUGINFOD_URLS

cat >common.h <<'END_OF_HEADER'
#include <time.h>
struct many { int a, b, c, d, e, f; struct many *next; double values[7]; };
static inline double weigh(const struct many *one, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += one->values[i % 7] * (one->a + one->b * i);
	return sum;
}
static volatile double sum;
static struct many one = { 1, 2, 3, 4, 5, 6, 0, { 1, 2, 3 } };
END_OF_HEADER
for name in prog twin; do
	cat >$name.c <<END_OF_PROGRAM
#include "common.h"
__attribute__((noinline)) void burn_$name(void)
{
	sum += weigh(&one, 100000);
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 10)
		burn_$name();
	return 0;
}
END_OF_PROGRAM
	gcc -O2 -g $name.c -o $name -Wl,--build-id || skip_all "gcc cannot build a program"
done
cp prog whole

# profiled: the profile of prog as it is now.
profiled() {
	rm -rf p
	"$ompprof" run -q -F 1000 -o p -- ./prog && sleep 0.1
}

# report OPTION...: in tree.
report() {
	timeout 20 "$ompprof" report -i p --tree --view full "$@" >tree 2>err && cat tree err && [ ! -s err ]
}

has_lines() {
	report "$@" && grep -q 'burn_prog .*prog.c:2' tree && grep -q 'weigh.*common.h' tree
}

has_names() {
	report "$@" && grep -q 'burn_prog ' tree && ! grep -q 'prog.c' tree
}

if command -v dwz >/dev/null && profiled && dwz -m common.debug -M "$PWD/common.debug" prog twin 2>log &&
	readelf -SW prog | grep -q gnu_debugaltlink; then
	check "dwz: lines and inlined calls" has_lines
	sleep 0.1
	check "... that are kept" sh -c '[ -f p/symbols.cache ]'
	rm -f p/symbols.cache
	mv common.debug away
	check "dwz, its file gone: a report" report
	check "... of which nothing is kept" sh -c '! grep -q burn_prog p/symbols.cache'
	mv away common.debug
	check "dwz, its file back: lines and inlined calls" has_lines
else
	skip "dwz: lines and inlined calls" "dwz is not there, or took nothing out"
fi
cp whole prog
if command -v dwz >/dev/null && dwz prog 2>>log && profiled; then
	check "dwz of one program" has_lines
else
	skip "dwz of one program" "dwz is not there"
fi

# A server that has the debug information of prog, and says what it was asked.
cat >server.py <<'END_OF_SERVER'
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        open('asked', 'a').write(self.path + '\n')
        found = self.path.endswith('/' + sys.argv[1] + '/debuginfo')
        body = open('served', 'rb').read() if found else b''
        self.send_response(200 if found else 404)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args):
        pass
server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
open('port.new', 'w').write(str(server.server_port))
import os
os.rename('port.new', 'port')
server.serve_forever()
END_OF_SERVER
cp whole prog
objcopy --only-keep-debug prog served && strip --strip-debug prog || broken "cannot split a program"
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
python3 server.py "$id" >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$live_folder"' EXIT
turns=0
until [ -s port ] || [ $turns -ge 100 ]; do
	sleep 0.1
	turns=$((turns + 1))
done
[ -s port ] || broken "the server does not start"
DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) DEBUGINFOD_CACHE_PATH=$PWD/fetched DEBUGINFOD_TIMEOUT=10
export DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH DEBUGINFOD_TIMEOUT
: >asked
profiled || broken "cannot make a profile"
check "a server that nobody wants asked: names alone" has_names
check "... again, as they are kept" has_names
check "... the summary" "$ompprof" report -i p
is "... and no request" "$(cat asked)" ""
if python3 -c 'import ctypes; ctypes.CDLL("libdebuginfod.so.1")' 2>/dev/null; then
	check "--debuginfod: lines and inlined calls" has_lines --debuginfod
	check "... by request" grep -q "$id/debuginfo" asked
	: >asked
	rm -rf fetched
	sleep 0.1
	check "... that are kept" has_lines --debuginfod
	check "without --debuginfod again: names alone" has_names
	is "... and no request, either way" "$(grep "$id" asked)" ""
else
	skip "--debuginfod: lines and inlined calls" "libdebuginfod is not installed"
fi
plan
