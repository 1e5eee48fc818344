#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof merge: a merged file gives the report of its folder, to the byte; its bytes are the profiles' alone, however
# these came together; what cannot be merged, written or read again is said in one sentence.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
. "$srcdir/tests/cli/scenes.sh"
scene cg killed waits timed faults
scene_job
cd "$scratch" || broken "cannot enter the scratch folder"

"$ompprof" merge -o m job >out 2>err
is "it says what it wrote" "$? $(cat out)$(sed 's/([0-9]* kB)/(N kB)/' err)" \
	"0 ompprof: 3 processes, $("$ompprof" info -i job --format json | sed 's/,/\n/g' |
		grep -c '"tid"') threads -> m (N kB); view with: ompprof report -i m"
"$ompprof" merge -q -o m2 job >out 2>err
is "... or nothing, with --quiet" "$? $(cat out err)" "0 "
is "a file is smaller than a quarter of what it is of" \
	"$([ $(($(wc -c <m) * 4)) -lt "$(cat job/* | wc -c)" ] && echo yes)" yes

# same_as_folder FOLDER FILE VERB OPTION...: what a verb prints of both, but for where they are.
same_as_folder() {
	from=$1 to=$2
	shift 2
	"$ompprof" "$@" -i "$from" 2>err.1 | sed "s|$from|P|g" >out.1
	"$ompprof" "$@" -i "$to" 2>err.2 | sed "s|$to|P|g" >out.2
	[ -s out.1 ] && diff out.1 out.2 && cmp err.1 err.2
}
cp -R job FOLDER && cp m MERGED
for verb in "report" "report --format json" "report --format json --view full" "report --format json --by-thread" \
	"report --format json --view machine" "report --by rank" "report --by thread --format csv" "report --warnings" \
	"report --rank 1 --format json" "report --thread 1 --tree" "report --state wait --flat" "info" "info --format json" \
	"info --rank 2" "annotate --format json" "export --format csv -o -" "export --format chrome -o -"; do
	# Words on purpose.
	# shellcheck disable=SC2086
	check "as of the folder: $verb" same_as_folder FOLDER MERGED $verb
done
"$ompprof" report -i FOLDER --html FOLDER.html >/dev/null && "$ompprof" report -i MERGED --html MERGED.html >/dev/null
for of in FOLDER MERGED; do
	sed "s|$of|P|g" $of.html >$of.page
done
check "as of the folder: report --html" cmp FOLDER.page MERGED.page
"$ompprof" report -i killed.ompprof --html other.html >/dev/null
check_fails "... which is not that of another" cmp FOLDER.page other.html
# changes FOLDER FILE: how many figures of a diff are there, and how many of them are other than 0.
changes() {
	"$ompprof" diff "$1" "$2" --format json >out 2>err &&
		jq -r '[.. | objects | .change_s? | numbers] | "\(length > 10) \(map(select(. != 0)) | length)"' out
}
if command -v jq >/dev/null; then
	is "a diff of both finds nothing" "$(changes job m)" "true 0"
	is "... and of others something" "$(changes job killed.ompprof | sed 's/ [1-9][0-9]*$/ N/')" "true N"
else
	skip "a diff of both" "jq is not installed"
fi
for name in waits timed faults; do
	rm -rf FOLDER MERGED
	mkdir FOLDER && cp "$name.ompprof" FOLDER/
	"$ompprof" merge -q -o MERGED "$name.ompprof"
	check "one process, $name: report" same_as_folder FOLDER MERGED report --format json
	check "... info" same_as_folder FOLDER MERGED info
done
rm -rf FOLDER MERGED
cp -R job FOLDER && cp m MERGED
check "one part as a file: report" same_as_folder FOLDER/host-3-rank2.ompprof MERGED/host-3-rank2.ompprof report --format json
check "... info" same_as_folder FOLDER/host-3-rank2.ompprof MERGED/host-3-rank2.ompprof info
"$ompprof" report -i m/nothing.ompprof >out 2>err
is "... that is not there" "$? $(cat out err)" "1 ompprof: cannot read 'm/nothing.ompprof': No such file or directory"

# Bytes.
# merges_to FILE OPERAND...: they merge to the bytes of a file.
merges_to() {
	wanted=$1
	shift
	rm -f other
	"$ompprof" merge -q -o other "$@" && cmp "$wanted" other
}
check "once more: the same bytes" cmp m m2
for jobs in 1 2 7; do
	check "--jobs $jobs: the same bytes" merges_to m --jobs $jobs job
done
check "files in another order: the same bytes" merges_to m job/host-3-rank2.ompprof job/host-1-rank0.ompprof \
	job/host-2-rank1.ompprof
"$ompprof" merge -q -o a job/host-1-rank0.ompprof job/host-3-rank2.ompprof
"$ompprof" merge -q -o b job/host-2-rank1.ompprof
check "merged files once more: the same bytes" merges_to m b a
check "... with a profile" merges_to m a job/host-2-rank1.ompprof
check "... with what is there several times" merges_to m job a m job/host-1-rank0.ompprof
cp m job/merged.ompprof
check "... in its folder" merges_to m job
rm job/merged.ompprof
mkdir alone && cp m alone/all.ompprof
check "a folder of a merged file alone" same_as_folder FOLDER alone/all.ompprof report --format json
"$ompprof" report -i alone --format json >out && "$ompprof" report -i job --format json >out.1
check "... by the folder" sh -c 'sed "s|alone/all.ompprof|job|g; s|alone|job|g" out | cmp - out.1'
cp a self && "$ompprof" merge -q -o self self job/host-2-rank1.ompprof
is "into itself" "$? $(cmp m self 2>&1)" "0 "
rm -rf FOLDER MERGED && mkdir FOLDER
cp job/host-1-rank0.ompprof FOLDER/z.ompprof && cp job/host-2-rank1.ompprof FOLDER/b.ompprof
cp job/host-3-rank2.ompprof FOLDER/a.ompprof
"$ompprof" merge -q -o MERGED FOLDER
check "names in another order than ranks: report" same_as_folder FOLDER MERGED report --format json
check "... info" same_as_folder FOLDER MERGED info

# What is no job, or is damaged.
cp -R job spoilt
poke spoilt/host-2-rank1.ompprof 8 99
"$ompprof" merge -q -o part spoilt >out 2>err
is "a damaged file among others: one sentence" "$? $(cat out err)" \
	"0 ompprof: cannot read 'spoilt/host-2-rank1.ompprof': its format, version 99, is newer than this ompprof reads (6)"
check "... and the others are merged" cmp part a
rm part
echo text >text.ompprof
"$ompprof" merge -q -o part text.ompprof a >out 2>err
is "what is no profile among others" "$? $(cat out err)" "0 ompprof: 'text.ompprof' is not an ompprof profile"
check "... which are merged" cmp part a
"$ompprof" merge -q -o none text.ompprof >out 2>err
is "what is no profile alone" "$? $(cat out err; ls none 2>&1)" \
	"1 ompprof: 'text.ompprof' is not an ompprof profile
ls: cannot access 'none': No such file or directory"
cp job/host-1-rank0.ompprof late.ompprof
# The number of the run, which is of a later one then.
poke late.ompprof 782 255
"$ompprof" merge -q -o part job late.ompprof >out 2>err
is "another run is left out, as report does" "$? $(cat out err)" \
	"0 ompprof: 3 profiles of other runs than the latest are left out"
rm -f late
"$ompprof" merge -q -o late late.ompprof
check "... and the latest is merged" cmp part late
# Each machine has a folder of its own, and so a run: 16 ms, then 19 minutes later than the other.
cp -R job machine && rm machine/host-2-rank1.ompprof
mkdir machine2 && cp job/host-2-rank1.ompprof machine2/
poke machine2/host-2-rank1.ompprof 779 $(($(od -An -tu1 -j779 -N1 job/host-2-rank1.ompprof) ^ 1))
"$ompprof" merge -q -o a machine && "$ompprof" merge -q -o b machine2
"$ompprof" merge -q -o both a b >out 2>err
is "files of two machines are one job" "$? $(cat out err; "$ompprof" info -i both --format json | grep -c '"rank":')" "0 3"
check "... as the folders are" merges_to both machine2 machine
"$ompprof" merge -q -o part both >out 2>err
is "... and stay one" "$? $(cat out err; cmp part both 2>&1)" "0 "
poke machine2/host-2-rank1.ompprof 836 1
"$ompprof" merge -q -o part machine machine2 >out 2>err
check "a rank in both: two jobs" grep -q "of other runs than the latest" err
poke machine2/host-2-rank1.ompprof 836 2
poke machine2/host-2-rank1.ompprof 781 $(($(od -An -tu1 -j781 -N1 job/host-2-rank1.ompprof) ^ 1))
"$ompprof" merge -q -o part machine machine2 >out 2>err
check "longer apart: two jobs" grep -q "of other runs than the latest" err
(umask 022; "$ompprof" merge -q -o mine job; : >theirs)
is "nobody else reads a merged file" "$(stat -c %a mine theirs | tr '\n' ' ')" "600 644 "
mkdir short && head -c 3000 job/host-1-rank0.ompprof >short/1.ompprof
"$ompprof" merge -q -o part short >out 2>err
is "a profile that was cut is said" "$? $(cat out err)" \
	"0 ompprof: 'short/1.ompprof' is truncated: part of it is missing, and so are its samples"
mkdir twin && cp job/host-2-rank1.ompprof twin/host-1-rank0.ompprof
"$ompprof" merge -q -o part job twin >out 2>err
is "two processes of one name" "$? $(cat out err)" \
	"1 ompprof: cannot merge 'job/host-1-rank0.ompprof' and 'twin/host-1-rank0.ompprof': different processes need different names"
"$ompprof" merge -q -o none job nothing >out 2>err
is "a missing folder" "$? $(head -n 1 err)$(cat out; ls none 2>/dev/null)" \
	"1 ompprof: cannot read 'nothing': No such file or directory"
"$ompprof" merge -q -o new/folder/m job >out 2>err
is "folders above the output are made" "$? $(cat out err; ls new/folder)" "0 m"
"$ompprof" merge -q -o new/folder/m/x job >out 2>err
is "... unless a file is there" "$? $(cat out err)" "1 ompprof: cannot write 'new/folder/m/x': Not a directory"
"$ompprof" merge -q -o job/host-1-rank0.ompprof job >out 2>err
is "a profile is not replaced" "$? $(cat out err)" "1 ompprof: cannot write 'job/host-1-rank0.ompprof': it is a profile"
check "... and stays" merges_to m job
"$ompprof" merge -q -o /dev/full job >out 2>err
is "a full disk" "$? $(cat out err)" "1 ompprof: cannot write '/dev/full': No space left on device"
"$ompprof" merge -q -o - job 2>err | cat >out
is "a pipe" "$(cat out err)" "ompprof: cannot write '-': it is no regular file"
"$ompprof" merge --jobs 0 job >out 2>err
is "no jobs" "$? $(head -n 1 err)" "2 ompprof: option '--jobs' wants a whole number from 1 on, not '0'"

# The merged file, damaged.
size=$(wc -c <m)
for bytes in $((size - 1)) $((size / 2)) 100; do
	head -c "$bytes" m >cut
	"$ompprof" report -i cut >out 2>err
	is "$bytes of $size bytes" "$? $(cat out err)" \
		"1 ompprof: cannot read 'cut': it has been cut, $bytes of $size bytes are there"
done
cp m damaged && printf '\377\377\377' | dd of=damaged bs=1 seek=400 conv=notrunc 2>/dev/null
"$ompprof" report -i damaged --format json >out 2>err
is "a damaged part is left out" "$? $(cat err)" "0 "
check "... and said" sh -c '"$0" report -i damaged --warnings | grep -q "^1 file of the run cannot be read"' "$ompprof"
rm -f part a && "$ompprof" merge -q -o a job/host-2-rank1.ompprof job/host-3-rank2.ompprof
"$ompprof" merge -q -o part damaged >out 2>err
is "... out of a merge, too" "$? $(cat out err; cmp part a 2>&1)" \
	"0 ompprof: cannot read 'damaged/host-1-rank0.ompprof': it is damaged"
rm -f part
"$ompprof" merge -q -o part damaged/host-1-rank0.ompprof >out 2>err
is "... alone" "$? $(cat out err; ls part 2>/dev/null)" \
	"1 ompprof: cannot read 'damaged/host-1-rank0.ompprof': it is damaged"
cp m damaged && printf '\377\377\377' | dd of=damaged bs=1 seek=$((size - 100)) conv=notrunc 2>/dev/null
"$ompprof" report -i damaged >out 2>err
is "a damaged index" "$? $(cat out err)" "1 ompprof: cannot read 'damaged': it is damaged"
cp m damaged && poke damaged $(($(od -An -tu8 -j32 -N8 m) + 24)) 77
"$ompprof" report -i damaged >out 2>err
is "... in a figure that could be" "$? $(cat out err)" "1 ompprof: cannot read 'damaged': it is damaged"
cp m damaged && poke damaged 8 9
"$ompprof" report -i damaged >out 2>err
is "a later format" "$? $(cat out err)" \
	"1 ompprof: cannot read 'damaged': its format, version 9, is newer than this ompprof reads (2)"
cp m damaged && poke damaged 8 1
"$ompprof" report -i damaged >out 2>err
is "the format before this one" "$? $(cat out err)" "1 ompprof: cannot read 'damaged': an older ompprof merged it, and its format, version 1, is not read any more; merge the profiles anew"
plan
