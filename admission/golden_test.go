package admission

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lull/actors"
	"lull/subjects"
	golden "lull/test/script"
)

// Scripts are what clients ask and hosts do; they print the events that admission decides, and
// the verdicts that it sends.
func TestScripts(t *testing.T) {
	golden.Run(t, "testdata/*.txt", func(t *testing.T) golden.Command { return (&asked{t: t}).command })
}

// asked is an admission that is asked.
type asked struct {
	t *testing.T
	*driver
	jobs map[string]string // by the name in the script
	told map[uint64]bool   // inbox messages with printed verdicts
}

func (p *asked) command(verb string, a golden.Args) string {
	switch verb {
	case "pool":
		p.driver, p.jobs, p.told = newDriver(p.t, Config{}), map[string]string{}, map[uint64]bool{}
		return ""
	case "host":
		p.join(a.Name(), a.Number("idle", 4))
		return ""
	case "upgrade":
		p.upgrade()
		return ""
	case "model":
		p.say(&subjects.Fitted{Type: a.Name(), A: a.Number("a", 0), Low: 0.05, High: 1, Samples: 1e6, Fast: 1, Slow: 1})
		return ""
	case "pass":
		p.now = p.now.Add(a.Span("for"))
	case "restart":
		p.restart()
	case "submit":
		p.request(actors.Request{Body: p.besideOthers(job(int(a.Number("tasks", 1)), a.Get("deadline", "")), a), MessageID: a.Get("id", ""), Client: a.Get("client", "")})
	case "garbage", "document":
		p.submitted([]byte(strings.Join(a.Words, " ")))
	case "cancel", "retry":
		p.ask(verb, p.jobs[a.Name()])
	case "done":
		p.finish(p.jobs[a.Name()])
	default:
		p.t.Fatalf("command %q: want one of the script's", verb)
	}
	return p.result(a)
}

// upgrade has all services and hosts come back with the newest format.
func (p *driver) upgrade() {
	p.say(&subjects.Led{Actor: Name, Partition: "all", Format: subjects.Format}, &subjects.Led{Actor: "slotter", Partition: "all", Format: subjects.Format})
	for _, h := range p.a.facts.Ledger.Hosts() {
		again := h.Joined
		again.Format = subjects.Format
		p.say(&again)
	}
}

// besideOthers is a document that names other jobs, by their names in the script.
func (p *asked) besideOthers(document []byte, a golden.Args) []byte {
	for _, after := range a.List("after") {
		name, on, _ := strings.Cut(after, ":")
		if id := p.jobs[name]; id != "" {
			name = id
		}
		document = fmt.Appendf(document, "after_job: %s\n", strings.TrimSuffix(name+":"+on, ":"))
	}
	if do := a.Get("if_running", ""); do != "" {
		document = fmt.Appendf(document, "if_running: %s\n", do)
	}
	return document
}

// ask sends a request about a job.
func (p *asked) ask(what, id string) {
	body, err := json.Marshal(subjects.Request{Job: id})
	if err != nil {
		p.t.Fatal(err)
	}
	p.request(actors.Request{Subject: subjects.DefaultPool.Request(what), Body: body})
}

// finish has the host run the job's tasks to their ends.
func (p *asked) finish(id string) {
	h, j := p.a.State().Hosts()[0], p.a.State().Job(id)
	for i := range j.Stages[0].Len() {
		at := subjects.TaskID{Task: uint32(i)}
		p.say(&subjects.Assigned{Host: h.Name, Job: id, TaskID: at, Term: h.Term, Width: 1, Try: 1})
		p.say(&subjects.Finished{Host: h.Name, Job: id, Fact: subjects.Fact{TaskID: at, Term: h.Term, Attempt: p.seq}, Run: subjects.Run{Seconds: 1}})
	}
	p.say(&subjects.JobFinished{Job: id})
}

// restart is another admission, which has the log's state and no more.
func (p *asked) restart() {
	state, err := p.a.Snapshot()
	if err != nil {
		p.t.Fatal(err)
	}
	next := newDriver(p.t, Config{})
	if err := next.a.Restore(state); err != nil {
		p.t.Fatal(err)
	}
	next.seq, next.inbox, next.now = p.seq, p.inbox, p.now
	p.driver = next
	p.say(&subjects.Led{Actor: Name, Partition: "all", Format: subjects.Format}, &subjects.Led{Actor: "slotter", Partition: "all", Format: subjects.Format})
}

// result is what admission decides now, and the verdicts that are new. A word as=NAME names the
// job that a command submitted.
func (p *asked) result(a golden.Args) string {
	var out strings.Builder
	for _, e := range p.settle() {
		if s, ok := e.(*subjects.Submitted); ok {
			p.jobs[a.Get("as", s.Job)] = s.Job
		}
		out.WriteString(strings.TrimPrefix(fmt.Sprintf("%T", e), "*subjects.") + "\n")
	}
	for _, inbox := range slices.Sorted(maps.Keys(p.replies)) {
		if p.told[inbox] {
			continue
		}
		p.told[inbox] = true
		v := p.replies[inbox]
		fmt.Fprintf(&out, "%d: %s\n", inbox, p.named(strings.TrimSpace(strings.Join([]string{v.Verdict, v.Job, v.Code, v.Text}, " "))))
	}
	return out.String()
}

var instant = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|\d\d:\d\d:\d\d`)

// named puts the script's names in place of ids, which are drawn at random.
func (p *asked) named(text string) string {
	for name, id := range p.jobs {
		text = strings.ReplaceAll(text, id, name)
	}
	return instant.ReplaceAllString(text, "…")
}
