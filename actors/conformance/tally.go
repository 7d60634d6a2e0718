package conformance

import (
	"slices"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/section"
)

// tally is the smallest actor with every duty of a real one. For each host that is Drained it
// decides Resumed once. For each message of the inbox it decides Rejected once, and replies when
// the log has that. A fact that comes twice counts as doubled.
type tally struct {
	state      state
	backlog    []actors.Request // volatile, as in a real actor
	samples    int
	reports    []any
	terms      []uint64
	act        bool   // asks for an action on every Drained
	resumeHost string // a host to resume without reason: see the stale leader
	large      bool   // decides an event that is too large first, until it is refused
	refused    []actors.Refused
	stepped    chan struct{}
}

type state struct {
	Pending []string `msgpack:"pending"`
	Resumed uint64   `msgpack:"resumed"`
	Doubled uint64   `msgpack:"doubled"`
	Inbox   uint64   `msgpack:"inbox"`
	Jobs    []string `msgpack:"jobs"`
	Born    int64    `msgpack:"born"` // of the inbox
	Hash    uint64   `msgpack:"hash"` // of every entry, in order
	Seq     uint64   `msgpack:"seq"`
}

func newTally() *tally { return &tally{stepped: make(chan struct{}, 1)} }

func (a *tally) Step(in actors.Input) (out actors.Output) {
	defer a.signal()
	if n := len(a.terms); in.Term != 0 && (n == 0 || a.terms[n-1] != in.Term) {
		a.terms = append(a.terms, in.Term)
	}
	switch {
	case in.Entry != nil:
		out = a.fold(in.Entry)
	case in.Request != nil:
		out = a.request(*in.Request)
	case in.Sample != nil:
		a.samples++
	case in.Report != nil:
		a.reports = append(a.reports, in.Report)
		if p, ok := in.Report.(resumeAgain); ok {
			a.resumeHost = string(p)
		}
	case in.Refused != nil:
		a.refused, a.large = append(a.refused, *in.Refused), false
	case in.Decide:
		out.Events = a.missingEvents()
	}
	return out
}

func (a *tally) signal() {
	select {
	case a.stepped <- struct{}{}:
	default:
	}
}

func (a *tally) fold(e *actors.Entry) (out actors.Output) {
	s := &a.state
	s.Seq = e.Seq
	s.Hash = (s.Hash ^ e.Seq) * 0x100000001b3
	switch event := e.Event.(type) {
	case *subjects.Drained:
		if !slices.Contains(s.Pending, event.Host) {
			s.Pending = append(s.Pending, event.Host)
		}
		if a.act {
			out.Actions = []actors.Action{event.Host}
		}
	case *subjects.Resumed:
		i := slices.Index(s.Pending, event.Host)
		if i < 0 {
			s.Doubled++
			break
		}
		s.Pending = slices.Delete(s.Pending, i, i+1)
		s.Resumed++
	case *subjects.Led:
		if event.Inbox != s.Born {
			s.Born, s.Inbox = event.Inbox, 0
		}
	case *subjects.Rejected:
		if event.Inbox <= s.Inbox {
			s.Doubled++
			break
		}
		s.Inbox = event.Inbox
		s.Jobs = append(s.Jobs, event.Job)
		out.Replies = []actors.Reply{{Inbox: event.Inbox, Verdict: verdict(event.Job)}}
	}
	return out
}

func verdict(job string) subjects.Verdict {
	return subjects.Verdict{Job: job, Verdict: subjects.VerdictRejected, Code: subjects.ReasonInvalid}
}

// request takes the name of a job; anything else is refused.
func (a *tally) request(r actors.Request) (out actors.Output) {
	if subjects.CheckToken("job", string(r.Body)) != nil {
		out.Quarantine = "it is no name"
		return out
	}
	if v, known := a.Recall(r); known {
		out.Replies = []actors.Reply{{Inbox: r.Seq, Verdict: v}}
		return out
	}
	a.backlog = append(a.backlog, r)
	return out
}

// resumeAgain is a report that makes the actor resume a host once more without need.
type resumeAgain string

// missingEvents returns the events that the state calls for and the log still lacks.
func (a *tally) missingEvents() (events []subjects.Event) {
	if a.large {
		events = append(events, &subjects.OutputLost{Host: "h", Job: "j", Tasks: make([]uint32, 2<<20)})
	}
	for _, host := range a.state.Pending {
		events = append(events, &subjects.Resumed{Host: host})
	}
	if a.resumeHost != "" {
		events = append(events, &subjects.Resumed{Host: a.resumeHost})
	}
	a.backlog = slices.DeleteFunc(a.backlog, func(r actors.Request) bool { return r.Seq <= a.state.Inbox })
	for _, r := range a.backlog {
		events = append(events, &subjects.Rejected{Job: string(r.Body), Inbox: r.Seq, Code: subjects.ReasonInvalid, Text: "a test", Trace: r.Trace})
	}
	return events[:min(len(events), actors.MaxBatch)]
}

// Recall remembers messages whose id is that of the job in their body.
func (a *tally) Recall(r actors.Request) (subjects.Verdict, bool) {
	job := string(r.Body)
	return verdict(job), r.MessageID == job && slices.Contains(a.state.Jobs, job)
}

func (a *tally) InboxFrom() uint64 { return a.state.Inbox }

func (a *tally) Answer(_ string, body []byte) []byte { return append([]byte("you asked "), body...) }

func (a *tally) Trace(e subjects.Event) string {
	if r, ok := e.(*subjects.Rejected); ok {
		return r.Trace
	}
	return ""
}

func (a *tally) Snapshot() ([]byte, error) { return subjects.Marshal(a.state) }

// newerState is the state of a snapshot that only a newer version can read.
const newerState = "from the future"

func (a *tally) Restore(b []byte) error {
	if string(b) == newerState {
		return section.ErrNewer
	}
	a.state = state{}
	return subjects.Unmarshal(b, &a.state)
}

// patienceLimit bounds every wait of the suite.
const patienceLimit = time.Minute
