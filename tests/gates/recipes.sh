#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The recipes docs/add-a-export.md, -view, -event and -clock work. In a copy of the tree the gate adds a format, a view
# with JSON, a counted event and a clock, all by the steps of their pages. With all steps done the addition
# works. A step that is left out is named by a build, a gate or a test. Few files are touched, goldens and NEWS aside.
# Of the pages for a kind of wait and for a cause only the files are counted.
. "$srcdir/tests/tap.sh"

# value NAME: a variable of the Makefile. With the flags of `make -j` make would say which folder it enters.
value() {
	MAKEFLAGS= make -s -C "$builddir" --no-print-directory --eval="print-it: ; @:\$(info \$($1))" print-it
}

[ -r "$builddir/Makefile" ] || broken "there is no Makefile in '$builddir'"
[ -z "$(value SANITIZER_CFLAGS)$(value COVERAGE_CFLAGS)" ] || skip_all "the build is instrumented"
[ -x "$builddir/tests/unit/scenes/write_scene" ] || broken "make check has not built the tests"
[ -f "$builddir/tests/unit/command/golden-golden.o" ] || broken "make check has not built the tests"
command -v python3 >/dev/null || skip_all "python3 is not installed"
command -v jq >/dev/null || skip_all "jq is not installed"
tap_scratch
tree=$scratch/tree new=$scratch/new
. "$srcdir/tests/cli/scenes.sh"

# --- a copy of the tree, and what is built of it ---

copy_tree() {
	mkdir "$tree" "$new" "$new/.libs" "$scratch/done" || return 1
	for part in unwinder profile sampler attribution src html python man tests bench; do
		cp -R "$srcdir/$part" "$tree/" || return 1
	done
	chmod -R u+w "$tree"
}

# changed: the files of the copy that are not as in the tree.
changed() {
	for part in profile sampler attribution src man tests; do
		diff -rq "$srcdir/$part" "$tree/$part"
	done | sed -n "s|^Only in $tree/\\(.*\\): |\\1/|p; s|^Files .* and $tree/\\(.*\\) differ\$|\\1|p"
}

# undo FILE...: makes files of the copy what they are in the tree.
undo() {
	for file in "$@"; do
		mkdir -p "$scratch/done/${file%/*}"
		cp "$tree/$file" "$scratch/done/$file" || return 2
		rm "$tree/$file"
		[ ! -e "$srcdir/$file" ] || cp "$srcdir/$file" "$tree/$file" || return 2
		chmod -f u+w "$tree/$file" || :
	done
}

redo() {
	for file in "$@"; do
		cp "$scratch/done/$file" "$tree/$file" || return 2
	done
}

# change FILE SCRIPT: edits a file of the copy by sed.
change() {
	sed "$2" "$tree/$1" >"$scratch/text" && ! cmp -s "$scratch/text" "$tree/$1" ||
		broken "the gate does not know how to change $1"
	cat "$scratch/text" >"$tree/$1"
}

# flags NAME...: what compiles a file, with the CPPFLAGS and CFLAGS of a target.
flags() {
	echo "$(value CC) -iquote $tree $(value DEFS) $(value DEFAULT_INCLUDES) $(value "$1") $(value CPPFLAGS) $(value "$2") \
		$(value CFLAGS)"
}

# compile FLAGS FILE OBJECT: a file of the copy that has changed since the object was made.
compile() {
	[ -f "$tree/$2" ] || { echo "there is no $2"; return 1; }
	(cd "$builddir" && eval "$1 -O1 -c -o $3 $tree/$2")
}

# is_built LIST FILE: whether a local.mk of the copy lists a file.
is_built() {
	grep -q "^	%D%/$2\\( \\\\\\)*\$" "$tree/$1"
}

# command_of LIST NEW FILE...: builds the command again of changed files, with the file NEW if the list has it.
command_of() {
	list=$1 file=$2
	shift 2
	cp "$builddir/src/libcommand.a" "$builddir/profile/libprofile.a" "$new/" || return 2
	! is_built "$list" "$file" || set -- "$@" "${list%/*}/$file"
	for file in "$@"; do
		object=libcommand_a-${file##*/} archive=libcommand.a
		case $file in profile/*) object=libprofile_a-${file##*/} archive=libprofile.a ;; esac
		compile "$command_flags" "$file" "$new/${object%.c}.o" || return 1
		ar r "$new/$archive" "$new/${object%.c}.o" 2>&1 || return 2
	done
	link_command "$new/ompprof" src/main.o
}

# link_command PROGRAM OBJECT...: with the new archives.
link_command() {
	program=$1
	shift
	(cd "$builddir" && eval "$(value CC) -rdynamic -o $program $* $new/libcommand.a attribution/libattribution.a \
		$new/libprofile.a $command_libs") 2>&1
}

# touches MOST WHAT: no more files than that are changed, goldens and NEWS aside.
touches() {
	changed | grep -v '^tests/data/' >"$scratch/changed"
	[ "$(wc -l <"$scratch/changed")" -le "$1" ] || { cat "$scratch/changed"; return 1; }
}

# steps PAGE TITLE: the files that the steps of a recipe touch, goldens and NEWS aside; not steps of "if".
steps() {
	awk -v title="$2" '/^## / { inside = $0 == "## " title } title == "" || inside' "$srcdir/docs/$1" |
		awk -F '|' '/^[|] [0-9]/ && $3 !~ /NEWS|tests.data|, if its/ { print $3 }' | grep -o '`[a-z]*/[^`]*`' | tr -d '`' |
		sed 's/NAME/dummy/g' | sort -u
}

# follows PAGE TITLE: the steps of a recipe name the files that are changed, and no other.
follows() {
	steps "$@" >"$scratch/steps"
	[ -s "$scratch/steps" ] || { echo "no step seen"; return 99; }
	differences=$(changed | grep -v '^tests/data/' | sort | diff "$scratch/steps" - |
		sed -n 's/^< /needless: /p; s/^> /no step names: /p')
	[ -z "$differences" ] || { echo "$differences"; return 1; }
}

# is_short PAGE MOST: the steps of a recipe touch no more files than that.
is_short() {
	steps "$1" "" >"$scratch/steps"
	[ -s "$scratch/steps" ] || { echo "no step seen"; return 99; }
	[ "$(wc -l <"$scratch/steps")" -le "$2" ] || { cat "$scratch/steps"; return 1; }
}

# names_all PAGE: each step but that of NEWS says what names it.
names_all() {
	unnamed=$(awk -F '|' '/^[|] [0-9]/ && $3 !~ /NEWS/ && $4 ~ /^ *$|nothing/' "$srcdir/docs/$1")
	[ -z "$unnamed" ] || { echo "$unnamed"; return 1; }
}

# without FILE CHECK...: judges the copy without the change of a file.
without() {
	left_out=$1
	shift
	undo "$left_out" || return 2
	"$@"
	status=$?
	redo "$left_out" || return 2
	return $status
}

# holds GATE: a gate finds nothing in the copy. Its own cases, which come behind, are left out.
holds() {
	sed '/^# The gate itself/q; /^tree$/q' "$tree/tests/gates/$1.sh" >"$scratch/part.sh"
	srcdir=$tree sh "$scratch/part.sh" >"$scratch/said" 2>&1 || return 2
	! grep -A 9 '^not ok' "$scratch/said"
}

# passes PROGRAM...: a test that speaks TAP finds nothing.
passes() {
	CMOCKA_MESSAGE_OUTPUT=TAP srcdir=$tree "$@" >"$scratch/said" 2>&1
	grep -q '^ok' "$scratch/said" || { cat "$scratch/said"; return 2; }
	! grep -A 9 '^not ok' "$scratch/said"
}

# next: the copy is the tree again.
next() {
	changed >"$scratch/changed"
	while read -r file; do
		undo "$file" || broken "cannot restore $file"
	done <"$scratch/changed"
	[ -z "$(changed)" ] || broken "the copy is not the tree"
}

# --- an export ---

add_export() {
	sed 's/folded/dummy/g' "$tree/src/export/export_folded.c" >"$tree/src/export/export_dummy.c"
	change src/export/formats.def 's/^FORMAT(folded)/&\nFORMAT(dummy)/'
	change src/export/local.mk 's|^\t%D%/export_firefox.c|\t%D%/export_dummy.c \\\n&|'
	change man/ompprof-export.1 's/^\.It Cm folded$/.It Cm dummy\nStacks.\n&/'
	change tests/export/totals.py 's/^SINGLE = {/&"dummy": read_folded, /'
}

export_works() {
	command_of src/export/local.mk export_dummy.c src/export/export_formats.c || return 1
	"$new/ompprof" export -q --force --format dummy -o "$scratch/stacks" -i "$scratch/cg.ompprof" || return 1
	[ -s "$scratch/stacks" ]
}

export_is_summed() {
	"$new/ompprof" report --format json -i "$scratch/cg.ompprof" >"$scratch/json" || return 2
	python3 "$tree/tests/export/totals.py" "$new/ompprof" dummy "$scratch/cg.ompprof" "$scratch/json"
}

# --- a view ---

# The part of ompprof-json(5) on the array of locks, for another array.
json_part() {
	awk '
		/^\.Bl/ { depth++ }
		/^\.El/ { depth-- }
		depth <= 1 && /^\.It/ { inside = $0 == ".It Va locks" }
		inside' "$tree/man/ompprof-json.5" | sed 's/Va locks/Va dummies/; s/held_share/dummy_share/'
}

add_view() {
	sed 's/view_by_lock/view_by_dummy/g; s/"by lock"/"by dummy"/; s/"locks"/"dummies"/; s/held%/dummy%/g' \
		"$tree/src/views/view_lock.c" >"$tree/src/views/view_dummy.c"
	change src/views/views.def 's/^VIEW_BY(lock, .*/&\nVIEW_BY(dummy, by_dummy)/'
	change src/views/local.mk 's|^\t%D%/view_event.c|\t%D%/view_dummy.c \\\n&|'
	change tests/unit/command/golden.c 's/^\tFORMS("faults.lock".*/&\n\tFORMS("faults\/dummy", "faults", \&view_by_dummy, 1),/'
	change man/ompprof-report.1 's/^\.Fl -by Cm lock ,/&\n.Cm dummy ,/'
	change man/ompprof-csv.5 's/^\.It held% .*/&\n.It dummy% Ta % Ta as held%/'
	json_part >"$scratch/part"
	change man/ompprof-json.5 "/^\\.It Va tasks\$/{
e cat $scratch/part
}"
}

view_works() {
	command_of src/views/local.mk view_dummy.c src/views/view.c src/request/report_request.c || return 1
	"$new/ompprof" report --by dummy -i "$scratch/waits.ompprof" | grep -q lock || return 1
	"$new/ompprof" report --format json -i "$scratch/waits.ompprof" | jq -e '.dummies | length > 0'
}

# view_options, view_golden: unit tests, linked again with the new objects of the command.
view_options() {
	link_command "$new/options" tests/unit/text/options-options.o -lcmocka || return 2
	passes "$new/options"
}

view_golden() {
	compile "$golden_flags" tests/unit/command/golden.c "$new/golden.o" || return 2
	link_command "$new/golden" "$new/golden.o" $golden_objects -lcmocka || return 2
	passes "$new/golden"
}

# --- a counted event: the callback nest_lock, which is not counted ---

add_event() {
	change profile/shared/events.def \
		's/^CALLBACK(28, nest_lock, CONSTRUCTS)$/COUNTED(EVENT_NEST_LOCK, 28, nest_lock, CONSTRUCTS, nothing, NULL)/'
	change sampler/tool/events_counted.c '/^static void on_cancel_counted/{
i\
static void on_nest_lock_counted(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *codeptr_ra)\
{\
	on_nest_lock(endpoint, wait_id, codeptr_ra);\
	count(PROFILE_EVENT_NEST_LOCK, 0, codeptr_ra);\
}

}'
	change tests/runtime/cases/events.txt 's/0x2163bc0860/0x2173bc0860/; /^case tasks by their flags/{
i\
case nestable locks\
  setting OMPPROF_EVENTS=nest_lock\
  A call alpha\
  A enter\
  A nest_lock begin M\
  A leave\
  expect event event=nest_lock at=alpha = 1\

}'
	change man/ompprof-ompt.7 '1,/^\.It nest_lock/s/^\.It nest_lock/&\nTest: tests\/runtime\/cases\/events.txt: nestable locks./'
	change man/ompprof-run.1 's/^\.It Sy flush$/.It Sy nest_lock\nNestable locks.\n&/'
}

event_works() {
	objects=$virtual_objects
	for file in profile/shared/event_names.c sampler/tool/callbacks.c sampler/tool/events_counted.c; do
		name=${file##*/}
		compile "$virtual_flags -fPIC -DPIC" "$file" "$new/$name.o" || return 1
		objects=$(echo "$objects" | sed "s|[^ ]*virtual_la-${name%.c}\\.o|$new/$name.o|")
	done
	(cd "$builddir" && eval "$(value CC) -shared -Wl,-z,now -Wl,--version-script=$tree/sampler/tool/libompprof.map \
		-o $new/virtual.so $objects") || return 2
	SCRIPTED_VIRTUAL=$new/virtual.so passes "$builddir/tests/runtime/scripted" "$tree/tests/runtime/cases/events.txt"
}

# --- a clock ---

add_clock() {
	sed 's/clock_timer/clock_dummy/g; s/"timer"/"dummy"/; s/^} timers;/} timers = { .id = CLOCK_THREAD_CPUTIME_ID };/
		/^void clock_dummy_use/,/^}/d' "$tree/sampler/core/clock_timer.c" >"$tree/sampler/core/clock_dummy.c"
	change profile/shared/clocks.def 's/^CLOCK(wall, .*/&\nCLOCK(dummy, dummy, CPU)/'
	change sampler/core/local.mk 's|^\t%D%/clock_perf.c|\t%D%/clock_dummy.c \\\n&|'
	change man/ompprof-run.1 's/^\.It Sy wall$/.It Sy dummy\nTime.\n&/'
	sed 's/clock_timer/clock_dummy/g' "$tree/tests/unit/sampler/clock_timer.c" >"$tree/tests/unit/sampler/clock_dummy.c"
	change tests/unit/sampler/local.mk 's|^\t%D%/clock_perf|\t%D%/clock_dummy \\\n&|
		s|^%C%_clock_perf_SOURCES.*|%C%_clock_dummy_SOURCES = %D%/clock_dummy.c sampler/core/clock.c\n&|'
}

clock_library() {
	cp "$builddir/.libs/libwalker.a" "$new/" || return 2
	if is_built sampler/core/local.mk clock_dummy.c; then
		compile "$core_flags -fPIC -DPIC" sampler/core/clock_dummy.c "$new/libcore_la-clock_dummy.o" || return 1
		ar r "$new/libwalker.a" "$new/libcore_la-clock_dummy.o" 2>&1 || return 2
	fi
	objects=$library_objects
	for file in profile/shared/perf_event.c sampler/tool/clock_choose.c; do
		name=${file##*/}
		compile "$library_flags -fPIC -DPIC" "$file" "$new/$name.o" || return 1
		objects=$(echo "$objects" | sed "s|[^ ]*libompprof_la-${name%.c}\\.o|$new/$name.o|")
	done
	(cd "$builddir" && eval "$(value CC) -shared $objects -Wl,--whole-archive $new/libwalker.a .libs/libbound.a \
		-Wl,--no-whole-archive -Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs -Wl,@sampler/tool/libc_bind.options \
		-Wl,--version-script=$tree/sampler/tool/libompprof.map -o $new/.libs/libompprof.so") 2>&1 || return 1
}

clock_works() {
	clock_library || return 1
	"$new/ompprof" run -q -e dummy -o "$scratch/out" -- awk 'BEGIN { for (i = 0; i < 5000000; i++) n += i }' || return 1
	"$new/ompprof" report --format json -i "$scratch/out" | jq -e '.run.samples > 3 and .run.clock_name == "dummy"'
}

copy_tree || broken "cannot copy the tree"
command_flags=$(flags src_libcommand_a_CPPFLAGS AM_CFLAGS)
golden_flags=$(flags UNIT_CPPFLAGS AM_CFLAGS)
virtual_flags=$(flags AM_CPPFLAGS tests_runtime_virtual_la_CFLAGS)
library_flags=$(flags AM_CPPFLAGS libompprof_la_CFLAGS)
core_flags=$(flags AM_CPPFLAGS libcore_la_CFLAGS)
command_libs=$(value ompprof_LDADD | tr ' ' '\n' | grep '^-' | tr '\n' ' ')
golden_objects=$(value tests_unit_command_golden_OBJECTS | tr ' ' '\n' | grep -v golden-golden | tr '\n' ' ')
virtual_objects=$(value tests_runtime_virtual_la_OBJECTS | sed 's|\([^ /]*\)\.lo|.libs/\1.o|g')
library_objects=$(value libompprof_la_OBJECTS | sed 's|\([^ /]*\)\.lo|.libs/\1.o|g')
scene cg waits

check_fails "a step that no file follows is found" follows add-a-export.md ""
add_export
check_fails "a change that is no step is found" follows add-a-clock.md ""
check "an export: the steps name what is touched" follows add-a-export.md ""
check "an export: at most 6 files" touches 6
check "an export: it works" export_works
check "an export: its figures are added up" export_is_summed
check_fails "an export: totals.py is named" without tests/export/totals.py export_is_summed
check "an export: the gate lists holds" holds lists
check_fails "an export: the manual is named" without man/ompprof-export.1 holds lists
check "an export: the gate folders holds" holds folders
for file in src/export/export_dummy.c src/export/formats.def src/export/local.mk; do
	check_fails "an export: ${file##*/} is named by the build" without $file export_works
done
check_fails "an export: local.mk is named by the gate folders" without src/export/local.mk holds folders
next

add_view
check "a view: the steps name what is touched" follows add-a-view.md ""
check "a view: at most 7 files" touches 7
check "a view: it works" view_works
check_fails "a view: the golden files are named" view_golden
OMPPROF_UPDATE_GOLDEN=1 srcdir=$tree "$new/golden" >/dev/null 2>&1 || :
check "a view: golden files agree" view_golden
check_fails "a view: golden.c is named" without tests/unit/command/golden.c view_golden
check "a view: the test of options agrees" view_options
for page in report.1 csv.5 json.5; do
	check_fails "a view: ompprof-$page is named" without man/ompprof-$page view_options
done
for file in src/views/view_dummy.c src/views/views.def src/views/local.mk; do
	check_fails "a view: ${file##*/} is named by the build" without $file view_works
done
next

add_event
check "an event: the steps name what is touched" follows add-a-event.md 'An event that is only counted (`--events`)'
check "an event: at most 5 files" touches 5
check "an event: it works" event_works
check_fails "an event: events.def is named" without profile/shared/events.def event_works
check_fails "an event: events_counted.c is named" without sampler/tool/events_counted.c event_works
check "an event: the gates hold" holds ompt
check_fails "an event: its case is named" without tests/runtime/cases/events.txt holds ompt
check_fails "an event: ompprof-ompt(7) is named" without man/ompprof-ompt.7 holds ompt
check "an event: the gate lists holds" holds lists
check_fails "an event: ompprof-run(1) is named" without man/ompprof-run.1 holds lists
next

add_clock
check "a clock: the steps name what is touched" follows add-a-clock.md ""
check "a clock: at most 6 files" touches 6
check "a clock: the command takes it" command_of src/export/local.mk export_folded.c profile/shared/perf_event.c \
	src/commands/cmd_run.c
check "a clock: it works" clock_works
for file in sampler/core/clock_dummy.c sampler/core/local.mk profile/shared/clocks.def; do
	check_fails "a clock: ${file##*/} is named by the build" without $file clock_works
done
check "a clock: the gates hold" holds lists
check_fails "a clock: ompprof-run(1) is named" without man/ompprof-run.1 holds lists
check_fails "a clock: its test is named" without tests/unit/sampler/clock_dummy.c holds lists
check "a clock: the gate folders holds" holds folders
check_fails "a clock: the list of tests is named" without tests/unit/sampler/local.mk holds folders
next

check "a kind of wait: at most 4 files" is_short add-a-wait-kind.md 4
check "a cause: at most 4 files" is_short add-a-cause.md 4
for page in export view clock wait-kind cause; do
	check "docs/add-a-$page.md says what names each step" names_all add-a-$page.md
done
check_fails "a recipe that is too long is found" is_short add-a-view.md 6
plan
