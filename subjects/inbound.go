package subjects

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// These are the subjects of the inbox. The user is a token that the sender's credentials fix: the
// server allows ann to publish on submit.ann and on request.*.ann, and on no other user's. Without
// that token, or on a server without such permissions, the sender of a message is unproven, and the
// name that it gives is a claim.
//
//	submit, submit.<user>                  a job
//	request.<verb>, request.<verb>.<user>  a change to one's own job
//	admin.<verb>.<user>                    an operator's change to any job
//
// A server gives admin.> to operators alone.

// Submit is the subject on which clients publish a job without a proven user: one message,
// JSON or msgpack.
func (p Pool) Submit() string { return p.subject("submit") }

// SubmitBy is the subject on which a user publishes a job.
func (p Pool) SubmitBy(user string) string { return p.subject("submit", user) }

// Request is the subject on which clients without a proven user ask for a change to a job: see
// Cancel and Retry.
func (p Pool) Request(verb string) string { return p.subject("request", verb) }

// RequestBy is the subject on which a user asks for a change to a job of its own, or to one
// without a proven submitter.
func (p Pool) RequestBy(verb, user string) string { return p.subject("request", verb, user) }

// AdminBy is the subject on which an operator asks for a change to any job.
func (p Pool) AdminBy(verb, user string) string { return p.subject("admin", verb, user) }

// InboxSubjects are the subjects that the inbox keeps.
func (p Pool) InboxSubjects() []string {
	return []string{
		p.Submit(), p.SubmitBy("*"),
		p.Request("*"), p.RequestBy("*", "*"), p.AdminBy("*", "*"),
	}
}

// CancelSubjects are the subjects of the inbox on which cancels come.
func (p Pool) CancelSubjects() []string {
	return []string{p.Request(RequestCancel), p.RequestBy(RequestCancel, "*"), p.AdminBy(RequestCancel, "*")}
}

// Inbound is the meaning of the subject of a message to the inbox.
type Inbound struct {
	Verb  string // RequestCancel or RequestRetry; "" for a submission
	User  string // "" when the subject names none
	Admin bool   // it was published as an operator
}

// requests are the verbs of Request, RequestBy and AdminBy.
var requests = []string{RequestCancel, RequestRetry}

// Inbound parses the subject of a message to the inbox.
func (p Pool) Inbound(subject string) (Inbound, error) {
	rest, ok := strings.CutPrefix(subject, p.subject(""))
	if !ok {
		return Inbound{}, fmt.Errorf("subject %q is not of pool %q", subject, p)
	}
	about, rest, _ := strings.Cut(rest, ".")
	in := Inbound{Admin: about == "admin"}
	switch about {
	case "submit":
		in.User = rest
	case "request", "admin":
		in.Verb, in.User, _ = strings.Cut(rest, ".")
		if !slices.Contains(requests, in.Verb) {
			return Inbound{}, errors.New("request " + in.Verb + " is unknown: use cancel or retry")
		}
	default:
		return Inbound{}, fmt.Errorf("subject %q is not of the inbox", subject)
	}
	if in.User != "" {
		return in, CheckToken("user", in.User)
	}
	if in.Admin {
		return Inbound{}, fmt.Errorf("subject %q names no operator", subject)
	}
	return in, nil
}
