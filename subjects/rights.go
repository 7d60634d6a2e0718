package subjects

import (
	"fmt"
	"slices"
)

// Role is the purpose of a key.
type Role string

// Roles. Admission, slotter, classifier and placer keep the pool's streams. The keys of the others may do
// only what Rights lists.
const (
	RoleAdmission  Role = "admission"
	RoleSlotter    Role = "slotter"
	RoleClassifier Role = "classifier"
	RolePlacer     Role = "placer"
	RoleHost       Role = "host"
	RoleClient     Role = "client"
	RoleOperator   Role = "operator"
	RoleDashboard  Role = "dashboard"
)

// Roles lists every role.
func Roles() []Role {
	return []Role{RoleAdmission, RoleSlotter, RoleClassifier, RolePlacer, RoleHost, RoleClient, RoleOperator, RoleDashboard}
}

// Rights is everything that a key may do. Subjects may contain wildcards.
type Rights struct {
	// Publish are the subjects on which the key publishes and asks.
	Publish []Way
	// Subscribe are the subjects that it subscribes to.
	Subscribe []string
	// Answer are the subjects on which it answers requests.
	Answer []string
	// Read are the streams whose messages it reads.
	Read []string
}

// Way is a subject of the pool, and the plain subject that a key may use instead. The server maps a
// message on the plain subject to the one with the client's name.
type Way struct {
	Subject string
	Plain   string // "" for no other name
}

// writers maps a role to the kinds of events that it writes. TestEveryKindHasAWriter
// keeps it complete. Each actor writes its own subject of led.
var writers = map[Role][]string{
	RoleAdmission: {"job.submitted", "job.trying", "job.admitted", "job.rejected", "job.endangered", "job.cancelled", "job.taskscancelled", "job.retried"},
	RoleSlotter: {
		"job.finished", "job.failed", "job.steered", "job.stagefailed", "model.fitted", "host.lost",
		"host.assigned", "host.revoked", "host.paced", "host.outputlost",
	},
	RoleClassifier: {"tenant.classified", "pool.classified"},
	RolePlacer:     {"job.placed"},
	RoleHost: {
		"host.joined", "host.left", "host.harmed", "host.started", "host.finished", "host.failed",
		"host.evicted", "host.declined", "host.identified", "host.outputmissing",
	},
	RoleOperator: {"host.paused", "host.resumed", "host.drained", "queue.shared", "pool.paused", "pool.resumed", "pool.wired", "pool.owned"},
}

// Rights returns what the key of a role may do in the pool. name is the name of the host,
// or of the client's or operator's user; other roles have none.
func (p Pool) Rights(role Role, name string) (Rights, error) {
	named := slices.Contains([]Role{RoleHost, RoleClient, RoleOperator}, role)
	if named {
		if err := CheckToken(string(role), name); err != nil {
			return Rights{}, err
		}
		if name == Nobody {
			return Rights{}, fmt.Errorf("%s %q: this name is reserved", role, name)
		}
	}
	switch role {
	case RoleAdmission, RoleSlotter, RoleClassifier, RolePlacer:
		return p.serviceRights(role), nil
	case RoleHost:
		return p.hostRights(name), nil
	case RoleClient:
		return p.clientRights(name), nil
	case RoleOperator:
		return p.operatorRights(name), nil
	case RoleDashboard:
		// Forecasts and lists of outputs are work for the services: a page shows neither.
		return Rights{Publish: newWays(p.Ask(AskJobs), p.Ask(AskDataNodes)), Subscribe: p.logAndTelemetry(), Read: p.clientStreams()}, nil
	}
	return Rights{}, fmt.Errorf("role %q is unknown: use one of %v", role, Roles())
}

func (p Pool) serviceRights(role Role) Rights {
	r := Rights{Publish: newWays(p.subject("led", string(role), "*"), p.Quarantine("*"))}
	for _, k := range kindsOf(role) {
		r.Publish = append(r.Publish, Way{Subject: p.subject(k.pattern()...)})
	}
	return r
}

// hostRights are the rights to write facts about the host itself and its telemetry, and
// to ask what it needs to run a task.
func (p Pool) hostRights(host string) Rights {
	r := Rights{
		Publish: newWays(p.Usage(host), p.Beat(host), p.Speed(host), p.OfHistory(host, "*"), p.Quarantine("*"),
			p.Ask(AskOutputs), p.Ask(AskWanted), p.Ask(AskKept), p.Ask(AskRoom), p.Ask(AskDocument), p.Pass("*")),
		Subscribe: []string{p.OfHost(host), p.Beat(host)}, // heartbeats: to notice another agent under its name
		Answer:    []string{p.Ticket(host)},
		Read:      []string{p.Log(), p.Lists(), objectStream(p.Objects())},
	}
	for _, k := range kindsOf(RoleHost) {
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
		Subscribe: p.logAndTelemetry(), Read: p.clientStreams(),
	}
	r.Publish = append(r.Publish, newWays(p.Ask("*"), p.Ticket("*"))...)
	return r
}

// operatorRights are a client's rights, those to change others' jobs, hosts and queues, and
// those to read the history of hosts and to import some.
func (p Pool) operatorRights(user string) Rights {
	r := p.clientRights(user)
	r.Publish = append(r.Publish, newWays(p.subject("admin", RequestCancel, user), p.subject("admin", RequestRetry, user), p.OfPast("*", "*"))...)
	r.Read = append(r.Read, p.History())
	for _, k := range kindsOf(RoleOperator) {
		plain := p.subject(k.pattern()...)
		r.Publish = append(r.Publish, Way{Subject: plain + "." + user})
	}
	return r
}

// logAndTelemetry are the subjects of the log, as it is written, and of telemetry.
func (p Pool) logAndTelemetry() []string {
	return append(p.Facts(), p.Usage("*"), p.Beat("*"), p.Speed("*"))
}

func (p Pool) clientStreams() []string {
	return []string{p.Log(), p.Lists(), objectStream(p.Snapshots()), objectStream(p.Objects())}
}

func newWays(subjects ...string) []Way {
	all := make([]Way, len(subjects))
	for i, s := range subjects {
		all[i].Subject = s
	}
	return all
}

// kindsOf lists the kinds that a role writes, in the order of kinds.
func kindsOf(role Role) []kind {
	var all []kind
	for _, k := range Ledger.kinds {
		if slices.Contains(writers[role], k.about+"."+k.verb) {
			all = append(all, k)
		}
	}
	return all
}

// Facts are a few patterns that match every subject of the log, and others only if no
// stream keeps them.
func (p Pool) Facts() []string {
	var facts []string
	for _, k := range Ledger.kinds {
		if about := p.subject(k.about, ">"); !slices.Contains(facts, about) {
			facts = append(facts, about)
		}
	}
	return facts
}

// Ticket is the subject on which a host answers requests for tickets to its outputs and
// logs.
func (p Pool) Ticket(host string) string { return p.subject("ticket", host) }

// Pass is Ticket for requests of other hosts. Where each key has an account of its own,
// importing Ticket from other hosts and exporting it would form a cycle.
func (p Pool) Pass(host string) string { return p.subject("pass", host) }

// API is the prefix of the subjects on which a key without JetStream of its own asks for
// descriptions of the pool's streams: see Rights.Read.
func (p Pool) API() string { return p.subject("api") }

// Nobody stands for the user in a subject when the user is unproven.
const Nobody = "-"

// Lists names the stream of task lists: see spec.Stage.List.
func (p Pool) Lists() string { return p.Log() + "_LISTS" }

// Piece is the subject of a piece of a task list that a user put. Digest is the SHA-256
// of its bytes, in hex.
func (p Pool) Piece(user, digest string) string { return p.subject("list", user, digest) }

func objectStream(bucket string) string { return "OBJ_" + bucket }
