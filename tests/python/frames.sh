#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The frames of the package have the figures of JSON, also of a job, of a profile without waits, and with filters. What
# cannot be read is an error with the command's own text.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/python/choose.sh"
choose_python pandas
tap_scratch
. "$srcdir/tests/cli/scenes.sh"
scene cg waits faults killed hostile native target events plain empty
scene_job
cd "$scratch" || broken "cannot enter the scratch folder"

# agrees PROFILE OPTION...
agrees() {
	"$OMPPROF" report --format json -i "$@" >json && "$python" "$srcdir/tests/python/figures.py" json "$@"
}

# differs SED: where the frames are not those of the report that sed made of theirs: "nodes, row 6, work_s".
differs() {
	"$OMPPROF" report --format json -i waits.ompprof | sed "$1" >json
	"$python" "$srcdir/tests/python/figures.py" json waits.ompprof 2>&1 | sed 's/:.*//'
}

# says PROFILE [COMMAND]
says() {
	"$python" "$srcdir/tests/python/words.py" "$@"
}

for name in waits faults hostile native target events plain empty; do
	check "figures: $name" agrees "$name.ompprof"
done
check "figures: a job of ranks" agrees job
check "figures: all frames" agrees waits.ompprof --view full
check "figures: some threads" agrees waits.ompprof --thread 1-2
is "other work is found" "$(differs 's/"work_s":\([0-9.]*\)[1-9]/"work_s":\10/')" "nodes, row 6, work_s"
is "another wait is found" "$(differs 's/"barrier":\([0-9.]*\)[1-9]/"barrier":\10/')" "nodes, row 6, blame.barrier"
is "another count is found" "$(differs 's/"executions":/"executions":1/')" "regions, row 0, executions"
is "another name is found" "$(differs 's/"kind":"function"/"kind":"task"/')" "nodes, row 1, kind"

echo junk >junk
head -c 100 cg.ompprof >short
for bad in nothing junk short; do
	"$OMPPROF" report --format json -i "$bad" 2>expected >json && broken "'$bad' can be read"
	is "the error is the command's own: $bad" "$(says "$bad" 2>&1)" "$(cat expected)"
done
is "a missing command" "$(says cg.ompprof ./no-command)" \
	"cannot run './no-command': No such file or directory; install ompprof, or name the command in OMPPROF"
printf '#!/bin/sh\necho a hint >&2\nexec "$OMPPROF" "$@"\n' >hints
printf '#!/bin/sh\necho "{\\"format\\":\\"ompprof-report\\",\\"version\\":2}"\n' >newer
chmod +x hints newer
is "a hint is a warning" "$(says cg.ompprof ./hints)" "a hint"
is "another version" "$(says cg.ompprof ./newer)" \
	"the command wrote 'ompprof-report', version 2; this package reads 'ompprof-report', version 1"
printf 'import sys\nfor name in "pandas", "matplotlib", "hatchet":\n\tsys.modules[name] = None\n' >bare.py
printf 'import ompprof\nompprof.read("cg.ompprof").nodes\n' >>bare.py
is "without pandas" "$("$python" bare.py 2>&1 | tail -n 1)" \
	"ompprof.command.Error: import of pandas halted; None in sys.modules; this needs the package pandas: pip install pandas"

if "$python" -c 'import hatchet' 2>/dev/null; then
	check "hatchet's graph" "$python" "$srcdir/tests/python/graph.py" waits.ompprof
else
	skip "hatchet's graph" "hatchet is not installed"
fi
plan
