package slotter

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	golden "lull/test/script"
)

// Scripts are golden ones: see package test/script.
func TestScripts(t *testing.T) {
	golden.Run(t, "testdata/*.txt", func(t *testing.T) golden.Command { return (&script{t: t}).command })
}

// script is a pool that obeys commands.
type script struct {
	t *testing.T
	p *pool
}

func (sc *script) command(verb string, a golden.Args) string {
	p := sc.p
	switch verb {
	case "pool":
		sc.p = newPool(sc.t, Config{Policy: a.Get("policy", "")})
	case "host":
		p.joinAhead(a.Name(), uint32(a.Number("slots", 1)), uint32(a.Number("ahead", 0)), int64(a.Number("memory", 1000)), a.Number("idle", a.Number("slots", 1)), a.List("labels")...)
	case "reserved":
		cores := uint32(a.Number("cores", 1))
		p.joinReserved(a.Name(), cores, uint32(a.Number("ahead", 0)), uint32(a.Number("keeps", 0)), a.Number("idle", float64(cores)))
	case "memory":
		p.sample(&subjects.Usage{Host: a.Name(), At: p.now.UnixNano(), Idle: p.a.facts.Hosts.Of[a.Name()].Idle, MemoryFree: int64(a.Number("free", 0))})
	case "idle":
		p.use(a.Name(), a.Number("cores", 0))
	case "job":
		sc.job(a)
	case "model":
		p.say(&subjects.Fitted{Type: a.Name(), A: a.Number("a", 0), B: a.Number("b", 0), Low: 0.05, High: 1, Samples: 1e6})
	case "decide":
		return describe(p.turn())
	case "settle":
		return describe(p.settle())
	case "restart":
		sc.restart()
	case "pass":
		p.pass(int(a.Span("for").Seconds()), a.List("silent")...)
	case "operator":
		sc.operator(a)
	case "start", "finish", "fail", "evict", "decline":
		sc.report(verb, a)
	case "vanish":
		sc.vanish(a.Name(), a.Get("job", ""))
	case "tasks":
		return sc.tasks(a.Name())
	default:
		sc.t.Fatalf("command %q: want one of the script's", verb)
	}
	return ""
}

// restart goes on with an actor that has only what a snapshot keeps.
func (sc *script) restart() {
	b, err := sc.p.a.Snapshot()
	if err != nil {
		sc.t.Fatal(err)
	}
	restored, err := New(sc.p.a.facts.Config)
	if err != nil {
		sc.t.Fatal(err)
	}
	if err := restored.Restore(b); err != nil {
		sc.t.Fatal(err)
	}
	hearAll(restored, sc.p)
	sc.p.a = restored
}

// job submits one stage, and a second one that reads the first if then= says
// how many tasks it has.
func (sc *script) job(a golden.Args) {
	cores := spec.Cores(math.Round(a.Number("cpu", 1) * float64(spec.Core)))
	st := spec.Stage{
		Name: "one", Argv: []string{"true"}, Tasks: uint32(a.Number("tasks", 1)), CPU: cores.Slots(), Part: cores.Part(),
		AtOnce: uint32(a.Number("at-once", 0)), Memory: int64(a.Number("memory", 1)), Where: a.List("where"), Retries: uint32(a.Number("retries", 0)),
		Backoff: a.Span("backoff"), Estimate: a.Span("estimate"),
	}
	job := spec.Job{Name: "job", Type: a.Get("type", "untaught"), AtOnce: uint32(a.Number("job-at-once", 0)), Stages: []spec.Stage{st}}
	if then := uint32(a.Number("then", 0)); then > 0 {
		job.Stages = append(job.Stages, spec.Stage{
			Name: "two", Argv: []string{"true"}, Tasks: then, CPU: 1, Memory: 1, From: []spec.From{{Stage: 0}},
		})
	}
	if origin := a.Get("origin", ""); origin != "" {
		job.Output, job.Origin = "/out", origin
		job.Stages = append(job.Stages, spec.Stage{
			Name: "publish", Tasks: 1, CPU: 1, Memory: 1, Publish: true, From: []spec.From{{Stage: uint32(len(job.Stages) - 1)}},
		})
	}
	sc.p.submitSpec(a.Name(), a.Span("deadline"), job)
}

func (sc *script) operator(a golden.Args) {
	on := a.Get("host", "")
	term := uint64(0)
	if h := sc.p.a.facts.Ledger.Host(on); h != nil {
		term = h.Term
	}
	events := map[string]subjects.Event{
		"leave": &subjects.Left{Host: on, Term: term},
		"pause": &subjects.Paused{Host: on}, "resume": &subjects.Resumed{Host: on}, "drain": &subjects.Drained{Host: on},
		"pause-all": &subjects.PoolPaused{}, "resume-all": &subjects.PoolResumed{},
		"cancel": &subjects.Cancelled{Job: a.Get("job", "")}, "retry": &subjects.Retried{Job: a.Get("job", "")},
	}
	if e := events[a.Name()]; e != nil {
		sc.p.say(e)
		return
	}
	sc.t.Fatalf("event %q: want one that operators send", a.Name())
}

// report makes hosts report the ends of attempts: of all, or of one host's or one job's, or of each
// host's first so many.
func (sc *script) report(verb string, a golden.Args) {
	first := int(a.Number("first", math.MaxInt32))
	for _, h := range sc.p.a.facts.Ledger.Hosts() {
		attempts := slices.Clone(h.Attempts())
		for _, at := range attempts[:min(first, len(attempts))] {
			if a.Get("host", h.Name) == h.Name && a.Get("job", at.Job.ID) == at.Job.ID {
				sc.p.say(ending(verb, at, a))
			}
		}
	}
}

// vanish makes a host report that the outputs of a job that it should keep are gone.
func (sc *script) vanish(host, job string) {
	j, h := sc.p.a.facts.Ledger.Job(job), sc.p.a.facts.Ledger.Host(host)
	for stage := range j.Stages {
		for kept := range sc.p.a.facts.Ledger.Needed(j, stage, h, 0) {
			sc.p.say(&subjects.OutputMissing{Host: host, Job: job, Folder: fmt.Sprintf("/data/%d", kept.Attempt), Fact: subjects.Fact{
				TaskID: subjects.TaskID{Stage: uint32(stage), Task: kept.Task}, Term: h.Term, Attempt: kept.Attempt,
			}})
		}
	}
}

func ending(verb string, at *ledger.Attempt, a golden.Args) subjects.Event {
	host, job, f := at.Host.Name, at.Job.ID, fact(at)
	switch verb {
	case "fail":
		return &subjects.Failed{Host: host, Job: job, Fact: f, Reason: subjects.ReasonExit, Exit: 3, Tail: a.Get("says", "")}
	case "evict":
		return &subjects.Evicted{Host: host, Job: job, Fact: f, Reason: subjects.ReasonReserve}
	case "start":
		return &subjects.Started{Host: host, Job: job, Fact: f, Residual: 1}
	case "decline":
		return &subjects.Declined{Host: host, Job: job, Fact: f, Reason: subjects.ReasonSlot}
	}
	e := done(at, a.Number("seconds", 10))
	e.In, e.Out = int64(a.Number("in", 0)), int64(a.Number("out", 0))
	if fetched := int64(a.Number("fetched", 0)); fetched > 0 {
		e.Fetch = subjects.Fetch{Fetching: a.Number("fetching", 0), Fetched: []subjects.Fetched{{Bytes: fetched}}}
	}
	return e
}

func (sc *script) tasks(job string) string {
	var out strings.Builder
	for i, st := range sc.p.a.facts.Ledger.Job(job).Stages {
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

func flowOf(e *subjects.Fitted) (text string) {
	if e.Gives > 0 || e.Yield > 0 {
		text += fmt.Sprintf(", gives %g B a byte and %g B a task", e.Gives, e.Yield)
	}
	if e.Fetch > 0 {
		text += fmt.Sprintf(", tasks fetch %g B/s", e.Fetch)
	}
	return text
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
		return fmt.Sprintf("fitted %s: %d samples, %.1f s at 1, residuals %.2f to %.2f", e.Type, e.Samples, e.A, e.Low, e.High) + flowOf(e)
	}
	return fmt.Sprintf("%T", e)
}
