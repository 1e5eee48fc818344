# SPDX-License-Identifier: Apache-2.0
# From `ompprof report --format json` and, as $truth[0], what the program says itself (truth.h): lines
# of fields with tabs between them.
#
#   wait KIND TRUTH_S FOUND_S            each kind that the program or the report knows of
#   class PERCENT                        thread time in the right class
#   cause KIND CAUSE TRUTH FOUND         percent of the blame for the kind's waiting
#   found KIND CAUSE PERCENT             what the report blames
#   thread KIND THREAD TRUTH FOUND       all of the thread's causes
#   blamed KIND TRUTH FOUND              percent of the waiting that somebody is to blame for
#   delayed SECONDS                      in which the threads were ready, but not running
#   unsettled PERCENT                    the most that blame and unblamed differ from what was waited
#   sum PERCENT                          how far the waits of all threads are from those of all kinds
#
# The lack of a CPU is a cause of its own in the report. The program blames nobody for it, so no figure of
# blame here has it.

# A wait of the report, in the words of the program.
def kind:
  if .kind == "barrier" then
    if .name == "closing barrier" then "closing barrier"
    elif .name == "explicit barrier" then "barrier"
    elif .name == "worksharing barrier" then "workshare barrier"
    else "any barrier" end
  elif .name | test("^(omp_)?nest[ _]lock") then "nest_lock"
  elif .kind == "critical" and $any == "reduction" then "reduction"
  else .kind end;

# Runtimes announce the lock of a reduction as a critical section, so with "reduction" as $any that is one.
# With another $any, barriers inside regions are not told apart: gcc's programs do not say which they are.
def merged:
  if $any != "" and $any != "reduction" and (. == "barrier" or . == "workshare barrier" or . == "any barrier") then $any
  else . end;

def sums(f; s): reduce .[] as $x ({}; .[$x | f] += ($x | s));

def sum: map(.s) | add // 0;
def percent($part; $all): if $all > 0 then 100 * $part / $all else 0 end;
def distance($a; $b): $a - $b | if . < 0 then -. else . end;

# What a cause is part of: the kernel that called it, as kernels ask for the time, or itself.
def planted($nodes):
  if .node == null then .name
  else .name as $name
    | [ .node | recurse($nodes[.].parent | select(. != null)) | $nodes[.].name | select(endswith("_kernel")) ]
    | .[0] // $name end;

# What the program calls it: all but its kernels is "other" to it.
def among($names): . as $name | if any($names[]; . == $name) then . else "other" end;

$truth[0] as $said
| .nodes as $nodes
| ($said | .blame |= map(.kind |= merged)) as $true
| .waits as $waits
| [ $waits[] | . + { word: (kind | merged) } ] as $found
| .threads as $threads
| ([ $true.threads[] | del(.tid, .work, .not_running) | to_entries[] ] | sums(.key | merged; .value)) as $true_waits
| ($found | sums(.word; .wait_s)) as $found_waits
| ( $true_waits + $found_waits | keys[]
    | [ "wait", ., $true_waits[.] // 0, $found_waits[.] // 0 ] ),
  ( [ $true.threads[] as $t
      | ($threads[] | select(.tid == $t.tid)) as $f
      | [ [ $t.work, $f.useful_s + $f.blocked_s ],
          [ $t.not_running, $f.not_running_s ],
          [ $t.idle, $f.idle_s ],
          [ $t."closing barrier" + $t.barrier + $t."workshare barrier" + $t.taskwait + $t.taskgroup,
            $f.barrier_s + $f.task_s ],
          [ $t.lock + $t.nest_lock + $t.critical + $t.ordered + $t.atomic + $t.reduction,
            $f.lock_s ] ][]
      | { all: .[0], right: min } ]
    | [ "class", percent(map(.right) | add; map(.all) | add) ] ),
  [ "delayed", ([ $true.threads[].not_running ] | add) ],
  ( ($threads | map({ key: "\(.thread)", value: .tid }) | from_entries) as $tids
    | [ $found[] | .word as $word | .causes[] | select(.name != "had no CPU")
        | { word: $word, name: planted($nodes), tid: $tids["\(.thread)"], s: .blame_s } ] as $causes
    | ([ $true.blame[].name ] | unique) as $names
    | $true_waits | to_entries[] | select(.value > 0.05 and .value >= 0.2 * ($true_waits | add))
    | .key as $word
    | [ $true.blame[] | select(.kind == $word) ] as $planted
    | [ $causes[] | select(.word == $word) ] as $blamed
    | ($planted | sum) as $all_planted
    | ($blamed | sum) as $all_blamed
    | ( $planted | group_by([.tid, .name])[] | select(sum >= 0.1 * $all_planted)
        | .[0] as $one
        | [ "cause", $word, $one.name, percent(sum; $all_planted),
            percent([ $blamed[] | select((.name | among($names)) == $one.name and .tid == $one.tid) ]
                | sum;
              $all_blamed) ] ),
      ( $blamed | group_by(.name)[] | [ "found", $word, .[0].name, percent(sum; $all_blamed) ] ),
      ( $true.threads[].tid as $tid
        | [ "thread", $word, $tid,
            percent([ $planted[] | select(.tid == $tid) ] | sum; $all_planted),
            percent([ $blamed[] | select(.tid == $tid) ] | sum; $all_blamed) ] ),
      [ "blamed", $word, percent($all_planted; .value),
        percent($all_blamed; $found_waits[$word] // 0) ] ),
  [ "unsettled", ([ $found[] | select(.wait_s > 0.001)
      | percent(distance([ .causes[].blame_s ] + [ .unblamed_s ] | add; .wait_s); .wait_s) ]
      | max // 0) ],
  [ "sum", ([ $threads[] | .barrier_s + .task_s + .lock_s + .idle_s ] | add) as $sum
      | percent(distance($sum; [ $waits[] | select(.kind != "reduction") | .wait_s ] | add // 0); $sum) ]
| @tsv
