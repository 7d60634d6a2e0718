package subjects

import (
	"fmt"
	"slices"
)

// Role is what a key is for.
type Role string

// Roles. Admission and slotter decide, and keep the pool's streams; the others
// have keys that may do what Rights lists, and nothing else.
const (
	RoleAdmission Role = "admission"
	RoleSlotter   Role = "slotter"
	RoleHost      Role = "host"
	RoleClient    Role = "client"
	RoleOperator  Role = "operator"
	RoleDashboard Role = "dashboard"
)

// Roles lists every role.
func Roles() []Role {
	return []Role{RoleAdmission, RoleSlotter, RoleHost, RoleClient, RoleOperator, RoleDashboard}
}

// Rights is all that a key may do. Subjects may hold wildcards.
type Rights struct {
	// Publish are the subjects on which the key publishes and asks.
	Publish []Way
	// Hear are the subjects that it subscribes to.
	Hear []string
	// Answer are the subjects on which others ask it.
	Answer []string
	// Read are the streams whose messages it reads.
	Read []string
}

// Way is a subject of the pool, and how the key may name it as well. Clients
// publish on the plain subject, and the server makes it the one with their name.
type Way struct {
	Subject string
	Plain   string // "" for no other name
}

// writers says which role writes a kind of event. TestEveryKindHasAWriter keeps it
// whole. Of led each actor writes its own.
var writers = map[Role][]string{
	RoleAdmission: {"job.submitted", "job.admitted", "job.rejected", "job.endangered", "job.cancelled", "job.retried"},
	RoleSlotter: {
		"job.finished", "job.failed", "model.fitted", "host.lost",
		"host.assigned", "host.revoked", "host.paced", "host.outputlost",
	},
	RoleHost: {
		"host.joined", "host.left", "host.harmed", "host.started", "host.finished", "host.failed",
		"host.evicted", "host.declined", "host.identified", "host.outputmissing",
	},
	RoleOperator: {"host.paused", "host.resumed", "host.drained", "queue.shared", "pool.paused", "pool.resumed"},
}

// Rights returns what the key of a role may do in the pool. name is the host's of
// a host, the user's of a client or an operator; other roles have none.
func (p Pool) Rights(role Role, name string) (Rights, error) {
	named := slices.Contains([]Role{RoleHost, RoleClient, RoleOperator}, role)
	if named {
		if err := CheckToken(string(role), name); err != nil {
			return Rights{}, err
		}
		if name == Nobody {
			return Rights{}, fmt.Errorf("%s %q: that stands for nobody", role, name)
		}
	}
	switch role {
	case RoleAdmission, RoleSlotter:
		return p.serviceRights(role), nil
	case RoleHost:
		return p.hostRights(name), nil
	case RoleClient:
		return p.clientRights(name), nil
	case RoleOperator:
		return p.operatorRights(name), nil
	case RoleDashboard:
		// Forecasts and lists of outputs are work for the services: a page shows neither.
		return Rights{Publish: ways(p.Ask(AskJobs), p.Ask(AskSources)), Hear: p.news(), Read: p.readable()}, nil
	}
	return Rights{}, fmt.Errorf("role %q is unknown: use one of %v", role, Roles())
}

func (p Pool) serviceRights(role Role) Rights {
	r := Rights{Publish: ways(p.subject("led", string(role), "*"), p.Quarantine("*"))}
	for _, k := range written(role) {
		r.Publish = append(r.Publish, Way{Subject: p.subject(k.pattern()...)})
	}
	return r
}

// hostRights are facts about the host itself, its telemetry, and the answers that it
// needs to run a task.
func (p Pool) hostRights(host string) Rights {
	r := Rights{
		Publish: ways(p.Usage(host), p.Beat(host), p.Speed(host), p.Quarantine("*"),
			p.Ask(AskOutputs), p.Ask(AskWanted), p.Ask(AskKept), p.Ask(AskDocument), p.Pass("*")),
		Hear:   []string{p.OfHost(host)},
		Answer: []string{p.Ticket(host)},
		Read:   []string{p.Log(), p.Lists(), objectStream(p.Objects())},
	}
	for _, k := range written(RoleHost) {
		tokens := k.pattern()
		tokens[1] = host
		r.Publish = append(r.Publish, Way{Subject: p.subject(tokens...)})
	}
	return r
}

func (p Pool) clientRights(user string) Rights {
	r := Rights{
		Publish: []Way{
			{Subject: p.subject("submit", user), Plain: p.Submit()},
			{Subject: p.subject("request", RequestCancel, user), Plain: p.Request(RequestCancel)},
			{Subject: p.subject("request", RequestRetry, user), Plain: p.Request(RequestRetry)},
			{Subject: p.Piece(user, "*"), Plain: p.Piece(Nobody, "*")},
		},
		Hear: p.news(), Read: p.readable(),
	}
	r.Publish = append(r.Publish, ways(p.Ask("*"), p.Ticket("*"))...)
	return r
}

// operatorRights are a client's, and those over others' jobs, hosts and queues.
func (p Pool) operatorRights(user string) Rights {
	r := p.clientRights(user)
	r.Publish = append(r.Publish, ways(p.subject("admin", RequestCancel, user), p.subject("admin", RequestRetry, user))...)
	for _, k := range written(RoleOperator) {
		plain := p.subject(k.pattern()...)
		r.Publish = append(r.Publish, Way{Subject: plain + "." + user})
	}
	return r
}

// news is what may be followed live: the log as it is written, and telemetry.
func (p Pool) news() []string {
	return append(p.Facts(), p.Usage("*"), p.Beat("*"), p.Speed("*"))
}

func (p Pool) readable() []string {
	return []string{p.Log(), p.Lists(), objectStream(p.Snapshots()), objectStream(p.Objects())}
}

func ways(subjects ...string) []Way {
	all := make([]Way, len(subjects))
	for i, s := range subjects {
		all[i].Subject = s
	}
	return all
}

// written lists the kinds that a role writes, in the order of kinds.
func written(role Role) []kind {
	var all []kind
	for _, k := range kinds {
		if slices.Contains(writers[role], k.about+"."+k.verb) {
			all = append(all, k)
		}
	}
	return all
}

// Facts are a few patterns that match every subject of the log, and besides only
// what no stream keeps.
func (p Pool) Facts() []string {
	var facts []string
	for _, k := range kinds {
		if about := p.subject(k.about, ">"); !slices.Contains(facts, about) {
			facts = append(facts, about)
		}
	}
	return facts
}

// Ticket is where a host is asked, by core request and reply, for the ticket with
// which its outputs and logs are read.
func (p Pool) Ticket(host string) string { return p.subject("ticket", host) }

// Pass is Ticket for those who are hosts themselves. Where each key has an account
// of its own, a host that asked where it answers would ask itself for ever.
func (p Pool) Pass(host string) string { return p.subject("pass", host) }

// API begins the subjects on which a key without JetStream of its own describes
// the pool's streams: see Rights.Read.
func (p Pool) API() string { return p.subject("api") }

// Nobody stands in a subject for the user whom no server vouches for.
const Nobody = "-"

// Lists names the stream of task lists: see spec.Stage.List.
func (p Pool) Lists() string { return p.Log() + "_LISTS" }

// Piece is the subject of a part of a task list, which a user put. Its name is the
// SHA-256 of its bytes, in hex.
func (p Pool) Piece(user, digest string) string { return p.subject("list", user, digest) }

func objectStream(bucket string) string { return "OBJ_" + bucket }
