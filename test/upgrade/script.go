package upgrade

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"lull/subjects"
)

// jobs submits one job of each kind.
func (r *recorder) jobs() {
	input := filepath.Join(r.Dir, "input")
	r.err = cmp.Or(r.err, os.WriteFile(input, []byte(strings.Repeat("the quick brown fox\n", 400)), 0o644)) //nolint:gosec // tasks read it as nobody
	r.submit("stages", indent("deadline: 2h", "stages:",
		"  - {name: map, inputs: ["+input+"], split: 2KB, command: 'tr \" \" \"\\n\" | sort > $LULL_OUT/part-0'}",
		"  - {name: reduce, from: {stage: map, by: partition}, tasks: 1, command: 'uniq -c > $LULL_OUT/counts'}"))
	r.submit("each", indent("type: sweep", "stages:", "  - {name: try, each: [one, two, three], command: 'echo $LULL_PARAM > $LULL_OUT/it'}"))
	r.submit("many", indent("type: sweep", "queue: high", "stages:", "  - {name: try, tasks: 12, where: {side: left}, command: [\"true\"]}"))
	r.submit("hopeless", indent("deadline: 1s", "stages:", "  - {name: long, tasks: 4, estimate: 1h, command: [sleep, '3600']}"))
	r.submit("fails", indent("stages:", "  - {name: bad, tasks: 2, retries: 1, backoff: 1s, command: 'echo oh; exit 3'}"))
	r.submit("sleeps", indent("stages:", "  - {name: long, tasks: 1, command: [sleep, '3600']}"))
	r.runs("sleeps", 1)
	r.submit("missing", indent("stages:", "  - {name: typo, tasks: 1, retries: 0, command: [no-such-command]}"))
	for job, state := range map[string]string{
		"stages": "finished", "each": "finished", "many": "finished", "hopeless": "rejected", "fails": "failed", "missing": "failed", "sleeps": "admitted",
	} {
		r.ends(job, state)
	}
}

// operators runs the operators' commands.
func (r *recorder) operators() {
	r.lull("queue", "set", "high", "--weight", "2.5")
	r.lull("cancel", r.ids["sleeps"])
	r.ends("sleeps", "cancelled")
	r.lull("retry", r.ids["fails"])
	r.ends("fails", "failed")
	r.lull("pause", "--all")
	r.submit("waits", indent("stages:", "  - {name: a, tasks: 2, command: [\"true\"]}"))
	r.lull("resume", "--all")
	r.ends("waits", "finished")
	r.lull("pause", r.Host+"-a")
	r.lull("drain", r.Host+"-b")
	r.lull("resume", r.Host+"-a")
	r.lull("resume", r.Host+"-b")
	r.submit("open", indent("deadline: 12h", "stages:",
		"  - {name: first, tasks: 1, where: {side: right}, command: 'echo kept > $LULL_OUT/part-0'}",
		"  - {name: long, tasks: 2, retries: 5, from: {stage: first, by: partition}, command: [sleep, '3600']}"))
	r.runs("open", 2)
}

// hosts makes a host get lost with its tasks and another one leave, and starts new ones.
func (r *recorder) hosts() {
	if r.err == nil {
		r.Kill("agent-b")
	}
	r.await("host b lost", func() bool { return r.states("hosts", "host")[r.Host+"-b"] == "lost" })
	r.agent("c")
	r.say(context.Background())
	if r.err == nil {
		r.err = r.Stop("agent-c")
	}
	r.await("host c left", func() bool { return r.states("hosts", "host")[r.Host+"-c"] == "left" })
}

// rest makes the entries after the last snapshots.
func (r *recorder) rest() {
	r.agent("d", "--labels", "side=right")
	r.submit("last", indent("type: sweep", "stages:", "  - {name: a, tasks: 3, command: 'echo $LULL_TASK > $LULL_OUT/n'}"))
	r.ends("last", "finished")
}

// rare are events that hosts append only after many minutes, as a host would append them in
// its own term.
func rare(host string, term uint64, job string, now int64) []subjects.Event {
	return []subjects.Event{
		&subjects.Harmed{Host: host, Term: term, From: now - 60e9, To: now, Sensor: "psi", Harvested: 12, Delay: 0.25},
		&subjects.Identified{Host: host, Job: job, Fact: subjects.Fact{Term: term}, Model: "sweep/try", A: 0.5, B: 2e6, R2: 0.9, Sample: 0.2, Samples: 60},
	}
}
