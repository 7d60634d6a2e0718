package slotter

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the scripts' results; read the diff")

// Scripts are blocks of commands, a line ----, and what the last command
// prints. Lines that begin with # are for people.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sc, rewritten := &script{t: t}, &strings.Builder{}
	for i, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		commands, want, _ := strings.Cut(block+"\n", "----\n")
		got := sc.run(commands)
		if got != want && !*rewrite {
			t.Errorf("%s, block %d:\n%s\ngot:\n%swant:\n%s", file, i+1, commands, got, want)
		}
		if i > 0 {
			rewritten.WriteString("\n")
		}
		rewritten.WriteString(commands)
		if got != "" || strings.Contains(block, "----") {
			rewritten.WriteString("----\n" + got)
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(rewritten.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// script is a pool that obeys commands.
type script struct {
	t *testing.T
	p *pool
}

// args are a command's words: names, then key=value pairs.
type args struct {
	t     *testing.T
	words []string
}

func (a args) name() string {
	if len(a.words) == 0 {
		a.t.Fatal("a command lacks the name of what it is about")
	}
	return a.words[0]
}

func (a args) get(key, otherwise string) string {
	for _, w := range a.words {
		if v, ok := strings.CutPrefix(w, key+"="); ok {
			return v
		}
	}
	return otherwise
}

func (a args) number(key string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(a.get(key, fmt.Sprint(otherwise)), 64)
	if err != nil {
		a.t.Fatalf("%v: %v", a.words, err)
	}
	return v
}

func (a args) span(key string) time.Duration {
	d, err := time.ParseDuration(a.get(key, "0s"))
	if err != nil {
		a.t.Fatalf("%v: %v", a.words, err)
	}
	return d
}

func (a args) list(key string) []string {
	if v := a.get(key, ""); v != "" {
		return strings.Split(v, ",")
	}
	return nil
}

func (sc *script) run(commands string) string {
	var out strings.Builder
	for line := range strings.Lines(commands) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			out.WriteString(sc.command(words[0], args{sc.t, words[1:]}))
		}
	}
	return out.String()
}

func (sc *script) command(verb string, a args) string {
	p := sc.p
	switch verb {
	case "pool":
		sc.p = newPool(sc.t, Config{Policy: a.get("policy", "")})
	case "host":
		p.joinAhead(a.name(), uint32(a.number("slots", 1)), uint32(a.number("ahead", 0)), int64(a.number("memory", 1000)), a.number("idle", a.number("slots", 1)), a.list("labels")...)
	case "idle":
		p.use(a.name(), a.number("cores", 0))
	case "job":
		sc.job(a)
	case "model":
		p.say(&subjects.Fitted{Type: a.name(), A: a.number("a", 0), B: a.number("b", 0), Low: 0.05, High: 1, Samples: 1e6})
	case "decide":
		return describe(p.turn())
	case "settle":
		return describe(p.settle())
	case "pass":
		p.pass(int(a.span("for").Seconds()), a.list("silent")...)
	case "operator":
		sc.operator(a)
	case "finish", "fail", "evict", "decline":
		sc.report(verb, a)
	case "vanish":
		sc.vanish(a.name(), a.get("job", ""))
	case "tasks":
		return sc.tasks(a.name())
	default:
		sc.t.Fatalf("no command %s", verb)
	}
	return ""
}

// job submits one stage, and a second one that reads the first if then= says
// how many tasks it has.
func (sc *script) job(a args) {
	st := spec.Stage{
		Name: "one", Argv: []string{"true"}, Tasks: uint32(a.number("tasks", 1)), CPU: uint32(a.number("cpu", 1)),
		Memory: int64(a.number("memory", 1)), Where: a.list("where"), Retries: uint32(a.number("retries", 0)),
		Backoff: a.span("backoff"), Estimate: a.span("estimate"),
	}
	job := spec.Job{Name: "job", Type: a.get("type", "untaught"), Stages: []spec.Stage{st}}
	if then := uint32(a.number("then", 0)); then > 0 {
		job.Stages = append(job.Stages, spec.Stage{
			Name: "two", Argv: []string{"true"}, Tasks: then, CPU: 1, Memory: 1, From: []spec.From{{Stage: 0}},
		})
	}
	if origin := a.get("origin", ""); origin != "" {
		job.Output, job.Origin = "/out", origin
		job.Stages = append(job.Stages, spec.Stage{
			Name: "publish", Tasks: 1, CPU: 1, Memory: 1, Publish: true, From: []spec.From{{Stage: uint32(len(job.Stages) - 1)}},
		})
	}
	sc.p.submitSpec(a.name(), a.span("deadline"), job)
}

func (sc *script) operator(a args) {
	on := a.get("host", "")
	term := uint64(0)
	if h := sc.p.a.state.Host(on); h != nil {
		term = h.Term
	}
	events := map[string]subjects.Event{
		"leave": &subjects.Left{Host: on, Term: term},
		"pause": &subjects.Paused{Host: on}, "resume": &subjects.Resumed{Host: on}, "drain": &subjects.Drained{Host: on},
		"pause-all": &subjects.PoolPaused{}, "resume-all": &subjects.PoolResumed{},
		"cancel": &subjects.Cancelled{Job: a.get("job", "")}, "retry": &subjects.Retried{Job: a.get("job", "")},
	}
	if e := events[a.name()]; e != nil {
		sc.p.say(e)
		return
	}
	sc.t.Fatalf("no operator says %s", a.name())
}

// report lets the hosts say what became of attempts: of all, or of one host's
// or one job's, or of each host's first so many.
func (sc *script) report(verb string, a args) {
	first := int(a.number("first", math.MaxInt32))
	for _, h := range sc.p.a.state.Hosts() {
		attempts := slices.Clone(h.Attempts())
		for _, at := range attempts[:min(first, len(attempts))] {
			if a.get("host", h.Name) == h.Name && a.get("job", at.Job.ID) == at.Job.ID {
				sc.p.say(ending(verb, at, a))
			}
		}
	}
}

// vanish lets a host say that what it is to keep of a job is gone.
func (sc *script) vanish(host, job string) {
	j, h := sc.p.a.state.Job(job), sc.p.a.state.Host(host)
	for stage := range j.Stages {
		for kept := range sc.p.a.state.Needed(j, stage, h, 0) {
			sc.p.say(&subjects.OutputMissing{Host: host, Job: job, Folder: fmt.Sprintf("/data/%d", kept.Attempt), Fact: subjects.Fact{
				TaskID: subjects.TaskID{Stage: uint32(stage), Task: kept.Task}, Term: h.Term, Attempt: kept.Attempt,
			}})
		}
	}
}

func ending(verb string, at *ledger.Attempt, a args) subjects.Event {
	host, job, f := at.Host.Name, at.Job.ID, fact(at)
	switch verb {
	case "fail":
		return &subjects.Failed{Host: host, Job: job, Fact: f, Reason: subjects.ReasonExit, Exit: 3, Tail: a.get("says", "")}
	case "evict":
		return &subjects.Evicted{Host: host, Job: job, Fact: f, Reason: subjects.ReasonReserve}
	case "decline":
		return &subjects.Declined{Host: host, Job: job, Fact: f, Reason: subjects.ReasonSlot}
	}
	return done(at, a.number("seconds", 10))
}

func (sc *script) tasks(job string) string {
	var out strings.Builder
	for i, st := range sc.p.a.state.Job(job).Stages {
		fmt.Fprintf(&out, "stage %d: %d waiting, %d held, %d done, %d dead\n", i, st.Waiting(), st.Held, st.Done, st.Dead)
	}
	return out.String()
}

func describe(events []subjects.Event) string {
	var out strings.Builder
	for _, e := range events {
		out.WriteString(sentence(e) + "\n")
	}
	return out.String()
}

func sentence(e subjects.Event) string {
	switch e := e.(type) {
	case *subjects.Assigned:
		return slotOf(e)
	case *subjects.Revoked:
		return fmt.Sprintf("revoked %s/%d on %s: %s", e.Job, e.Attempt, e.Host, e.Why)
	case *subjects.JobFinished:
		return fmt.Sprintf("%s finished: %d tasks, %d attempts, %d evicted, %d failed", e.Job, e.Totals.Tasks, e.Totals.Attempts, e.Totals.Evicted, e.Totals.Failed)
	case *subjects.JobFailed:
		return fmt.Sprintf("%s failed (%s): %s", e.Job, e.Code, strings.ReplaceAll(e.Text, "\n", " | "))
	case *subjects.Lost:
		return fmt.Sprintf("lost %s after %gs", e.Host, e.Silence)
	case *subjects.OutputLost:
		return fmt.Sprintf("outputs lost with %s: %s stage %d tasks %v", e.Host, e.Job, e.Stage, e.Tasks)
	case *subjects.Fitted:
		return fmt.Sprintf("fitted %s: %d samples, %.1f s at 1, residuals %.2f to %.2f", e.Type, e.Samples, e.A, e.Low, e.High)
	}
	return fmt.Sprintf("%T", e)
}
