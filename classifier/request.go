package classifier

import (
	"lull/subjects"
	"lull/subjects/profile"
)

// mostChanges bounds the changes in an answer.
const mostChanges = 1000

// request is the last request for a generation that a client sent.
type request struct {
	ask   subjects.ClassifyAsk
	taken bool // by a Learn
	reply *subjects.ClassifyAnswer
}

func (r *request) waits() bool { return r.ask.ID != "" && !r.taken }

// Answer answers a client about its request, and notes a new one. The generation of one request
// ends before another begins.
func (a *Actor) Answer(_ string, body []byte) []byte {
	var ask subjects.ClassifyAsk
	answer := &subjects.ClassifyAnswer{}
	switch err := subjects.Unmarshal(body, &ask); {
	case err != nil || ask.ID == "" || len(ask.ID) > mostID:
		answer.Error = "the classifier does not understand the request: use lull classify of its own version"
	case ask == a.asked.ask && a.asked.reply != nil:
		answer = a.asked.reply
	case ask == a.asked.ask:
	case a.asked.ask.ID != "" && a.asked.reply == nil:
		answer.Error = "another client has asked for a generation that is still being made: ask again when it has ended"
	default:
		a.asked = request{ask: ask}
	}
	reply, err := subjects.Marshal(answer)
	if err != nil {
		return nil
	}
	return reply
}

// mostID bounds the id of a request.
const mostID = 100

// setReply notes the reply to the request, if the generation was made for it.
func (r *request) setReply(l *Learned, s *pending) {
	if l.Request != r.ask || r.ask.ID == "" {
		return
	}
	r.reply = &subjects.ClassifyAnswer{Done: true, Hosts: uint32(l.Hosts), Tenants: uint32(len(l.Found.Tenants))}
	if l.Err != nil {
		r.reply.Error = l.Err.Error()
		return
	}
	r.reply.Changed = uint32(len(s.tenants))
	for _, e := range s.tenants[:min(len(s.tenants), mostChanges)] {
		c := subjects.TenantChange{Tenant: e.Tenant, After: e.Class, To: e.Profile.Pattern, Why: e.Why, Gone: e.Gone}
		if before := s.before[e.Tenant]; before != nil {
			c.Before, c.From = before.Class, before.Profile.Pattern
		} else {
			c.From = profile.Unpredictable
		}
		r.reply.Changes = append(r.reply.Changes, c)
	}
}
