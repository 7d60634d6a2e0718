package inbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/spec"
)

// Message is one parsed message of the inbox.
type Message struct {
	Inbox  uint64           // sequence in the inbox
	At     int64            // when it arrived there, Unix nanoseconds
	Size   int              // bytes of its body
	From   subjects.Inbound // what its subject names
	client string           // the sender's name, as the message gives it: not verified
	Trace  string

	Job    string // id of the job that it creates or is about
	Name   string
	named  bool            // the submission has a message id
	Spec   *spec.Job       // of a valid submission
	digest subjects.Digest // of Spec
	Err    error           // of an invalid submission
	// refused says that the log did not accept the event that admission decided for the message.
	refused bool

	request subjects.Request // of a cancel or retry
}

// Receive reads a message and keeps it until its event comes back. Bytes that are no message get no
// event: they go to quarantine.
func (in *Inbox) Receive(r *actors.Request) (quarantine string, replies []actors.Reply) {
	if r.Early {
		if m, err := in.Read(r); err == nil {
			in.EarlyCancels.accept(m)
		}
		return "", nil
	}
	if r.Seq <= in.Ledger.Inbox || len(in.Pending) > 0 && r.Seq <= in.Pending[len(in.Pending)-1].Inbox {
		return "", nil // it was received before
	}
	if in.EarlyCancels.alreadyAnswered(r.Seq, in.Pending) {
		return "", nil
	}
	if r.Subject == in.Config.Pool.Request(subjects.RequestVoid) {
		return "", nil // a placeholder that a repair of the inbox put in place of lost messages
	}
	m, err := in.Read(r)
	if err != nil {
		why := clip(err.Error())
		refusal := subjects.Verdict{Verdict: subjects.VerdictRefused, Code: subjects.ReasonInvalid, Text: why}
		return why, []actors.Reply{{Inbox: r.Seq, Verdict: refusal}}
	}
	if m.From.Verb == subjects.RequestCancel && !m.CancelsTasks() {
		in.EarlyCancels.drop(m.Job)
	}
	in.Pending = append(in.Pending, m)
	in.PendingBytes += m.Size
	return "", nil
}

// Read parses a message: a submission, or a request to cancel or retry. An error means bytes that are
// no message.
func (in *Inbox) Read(r *actors.Request) (*Message, error) {
	m := &Message{
		Inbox: r.Seq, At: r.Time.UnixNano(), Size: len(r.Body),
		client: clip(r.Client), Trace: clip(r.Trace),
	}
	var err error
	if m.From, err = in.Config.Pool.Inbound(r.Subject); err != nil {
		return nil, err
	}
	if m.From.Verb == "" {
		return m, m.ReadSubmission(r)
	}
	m.request, err = subjects.DecodeRequest(r.Body)
	m.Job = m.request.Job
	m.request.Who, m.request.Why = clip(m.request.Who), clip(m.request.Why)
	return m, err
}

// ReadSubmission reads a job document. It returns an error only for bytes that are no document; what is
// wrong with a document is in m.Err.
func (m *Message) ReadSubmission(r *actors.Request) error {
	doc, err := spec.ParseWire(r.Body)
	var fault *spec.Error
	if errors.As(err, &fault) && fault.Line == 0 && fault.Path == "" {
		return err
	}
	m.Name = nameIn(r.Body)
	if err == nil {
		m.Name = doc.Name
		doc.Fix(r.Time.UTC())
		var job spec.Job
		if job, err = doc.Job(); err == nil {
			m.Spec = &job
			m.digest, err = fitting(&job)
		}
	}
	m.Err, m.named = err, r.MessageID != ""
	m.Job = m.idOf(r)
	return nil
}

// nameIn returns the name that a wrong document gives its job, or "invalid" if it gives none. The sender waits for a
// job of that name, and may know fields that this version does not.
func nameIn(body []byte) string {
	var doc struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(body, &doc) != nil || spec.CheckJob(doc.Name) != nil {
		return "invalid"
	}
	return doc.Name
}

// idOf returns the id of a submitted job. It follows from the message and its sequence alone, so that
// the sender can compute it, too.
func (m *Message) idOf(r *actors.Request) string {
	if m.From.User != "" {
		return subjects.JobIDBy(m.Name, m.From.User, r.MessageID, r.Seq)
	}
	return subjects.JobID(m.Name, r.Client, r.MessageID, r.Seq)
}

const (
	// MaxText bounds texts that clients send, such as their own names, in bytes.
	MaxText = 1 << 10
	// maxSpec bounds the size of a specification in the log, in bytes. The server refuses
	// messages of more than a mebibyte, and an event that it refuses would be retried for ever.
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
func clip(text string) string { return strings.ToValidUTF8(subjects.Clip(text, MaxText), "") }

// TurnedDown refuses a message when the log does not accept its event, with the reason. If
// the log does not accept the refusal either, TurnedDown makes that as short as possible.
func (in *Inbox) TurnedDown(r *actors.Refused) {
	inbox := subjects.InboxOf(r.Event)
	for _, m := range in.Pending {
		if m.Inbox != inbox || inbox == 0 {
			continue
		}
		if m.Err = errors.New("the pool cannot keep it: " + clip(r.Why)); m.refused {
			m.Err, m.Trace, m.Name = errors.New("the pool cannot keep it"), "", "invalid"
			m.Job = subjects.JobID(m.Name, "", "", m.Inbox)
		}
		m.refused, m.From.Verb = true, ""
	}
}

// Deadline is the job's deadline as an absolute time, 0 for none.
func (m *Message) Deadline() int64 {
	if m.Spec.DeadlineIn != 0 {
		return m.At + int64(m.Spec.DeadlineIn)
	}
	return m.Spec.DeadlineAt
}
