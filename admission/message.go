package admission

import (
	"errors"
	"fmt"
	"strings"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/spec"
)

// message is one message of the inbox, read.
type message struct {
	inbox  uint64
	at     int64
	size   int              // bytes of its body
	from   subjects.Inbound // what its subject names
	client string           // the sender that it claims
	trace  string

	job    string // the id it is or will be
	name   string
	named  bool            // a submission has a message id
	spec   *spec.Job       // of a valid submission
	digest subjects.Digest // of spec
	err    error           // of an invalid submission
	// refused says that the log did not accept the event decided on it.
	refused bool

	request subjects.Request // of a cancel or retry
}

// receive reads a message and keeps it until its event comes back. Bytes that
// are nothing at all get no event: they go to quarantine.
func (in *inbox) receive(r *actors.Request) (quarantine string, replies []actors.Reply) {
	if r.Early {
		if m, err := in.read(r); err == nil {
			in.urgents.hasten(m)
		}
		return "", nil
	}
	if r.Seq <= in.Ledger.Inbox || len(in.pending) > 0 && r.Seq <= in.pending[len(in.pending)-1].inbox {
		return "", nil // it came before
	}
	if in.urgents.hadItsTurn(r.Seq, in.pending) {
		return "", nil
	}
	if r.Subject == in.Config.Pool.Request(subjects.RequestVoid) {
		return "", nil // a repair put it in place of lost messages
	}
	m, err := in.read(r)
	if err != nil {
		why := clip(err.Error())
		refusal := subjects.Verdict{Verdict: subjects.VerdictRefused, Code: subjects.ReasonInvalid, Text: why}
		return why, []actors.Reply{{Inbox: r.Seq, Verdict: refusal}}
	}
	if m.from.Verb == subjects.RequestCancel {
		in.urgents.slow(m.job)
	}
	in.pending = append(in.pending, m)
	in.heavy += m.size
	return "", nil
}

func (in *inbox) read(r *actors.Request) (*message, error) {
	m := &message{
		inbox: r.Seq, at: r.Time.UnixNano(), size: len(r.Body),
		client: clip(r.Client), trace: clip(r.Trace),
	}
	var err error
	if m.from, err = in.Config.Pool.Inbound(r.Subject); err != nil {
		return nil, err
	}
	if m.from.Verb == "" {
		return m, m.submission(r)
	}
	m.request, err = subjects.DecodeRequest(r.Body)
	m.job = m.request.Job
	m.request.Who, m.request.Why = clip(m.request.Who), clip(m.request.Why)
	return m, err
}

// submission reads a job document. The error is for what is no document.
func (m *message) submission(r *actors.Request) error {
	doc, err := spec.ParseWire(r.Body)
	var fault *spec.Error
	if errors.As(err, &fault) && fault.Line == 0 && fault.Path == "" {
		return err
	}
	m.name = "invalid"
	if err == nil {
		m.name = doc.Name
		doc.Fix(r.Time.UTC())
		var job spec.Job
		if job, err = doc.Job(); err == nil {
			m.spec = &job
			m.digest, err = fitting(&job)
		}
	}
	m.err, m.named = err, r.MessageID != ""
	m.job = m.idOf(r)
	return nil
}

// idOf is the id of a submitted job. It follows from the message alone, so that the
// sender can compute it, too.
func (m *message) idOf(r *actors.Request) string {
	if m.from.User != "" {
		return subjects.JobIDBy(m.name, m.from.User, r.MessageID, r.Seq)
	}
	return subjects.JobID(m.name, r.Client, r.MessageID, r.Seq)
}

const (
	maxText = 1 << 10 // bytes of what clients say of themselves
	// maxSpec is the size of a specification in the log. A server takes
	// messages of a mebibyte; one that it refuses would be tried for ever.
	maxSpec = 900_000
)

// fitting returns the digest of a job's canonical form, or an error if that is too large
// for an event.
func fitting(job *spec.Job) (subjects.Digest, error) {
	body, err := subjects.Marshal(job)
	if err == nil && len(body) > maxSpec {
		err = fmt.Errorf("the job takes %d bytes in the log, at most %d are allowed: keep its list of splits as objects, as lull submit does", len(body), maxSpec)
	}
	return digest(body), err
}

// clip bounds the length of a text that came from outside.
func clip(text string) string { return strings.ToValidUTF8(subjects.Clip(text, maxText), "") }

// turnedDown refuses a message when the log does not accept its event, with the reason. If
// the log does not accept the refusal either, turnedDown makes that as short as possible.
func (in *inbox) turnedDown(r *actors.Refused) {
	inbox := subjects.InboxOf(r.Event)
	for _, m := range in.pending {
		if m.inbox != inbox || inbox == 0 {
			continue
		}
		if m.err = errors.New("the pool cannot keep it: " + clip(r.Why)); m.refused {
			m.err, m.trace, m.name = errors.New("the pool cannot keep it"), "", "invalid"
			m.job = subjects.JobID(m.name, "", "", m.inbox)
		}
		m.refused, m.from.Verb = true, ""
	}
}

// deadline is the job's deadline as an absolute time, 0 for none.
func (m *message) deadline() int64 {
	if m.spec.DeadlineIn != 0 {
		return m.at + int64(m.spec.DeadlineIn)
	}
	return m.spec.DeadlineAt
}
