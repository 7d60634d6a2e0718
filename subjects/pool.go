package subjects

import (
	"fmt"
	"strings"
)

// Pool is a partition of hosts with one log. All subjects, streams and buckets
// of a pool carry its name. A Pool that ParsePool made is a valid token of a subject.
type Pool string

// DefaultPool is the pool where a user names none.
const DefaultPool Pool = "default"

// ParsePool returns the pool with a name. The name becomes part of the names of
// buckets, so only letters, digits, '-' and '_' are valid.
func ParsePool(name string) (Pool, error) {
	if strings.ContainsFunc(name, func(r rune) bool { return !bucketRune(r) }) {
		return "", fmt.Errorf("pool %q: use letters, digits, '-' and '_'", name)
	}
	if err := CheckToken("pool", name); err != nil {
		return "", err
	}
	return Pool(name), nil
}

func bucketRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_'
}

// prefix begins every subject of lull.
const prefix = "lull."

func (p Pool) subject(tokens ...string) string {
	return prefix + string(p) + "." + strings.Join(tokens, ".")
}

// Led is the subject whose last message names the writer of a partition.
func (p Pool) Led(actor, partition string) string { return p.subject("led", actor, partition) }

// Joined is the subject whose last message describes the current instance of a host's agent.
func (p Pool) Joined(host string) string { return p.subject("host", host, "joined") }

// OfHost matches every event by or for a host.
func (p Pool) OfHost(host string) string { return p.subject("host", host, ">") }

// OfJob matches every event about a job as a whole.
func (p Pool) OfJob(job string) string { return p.subject("job", job, ">") }

// OfTasks matches every event about a job's tasks, on any host.
func (p Pool) OfTasks(job string) string { return p.subject("host", "*", "*", job) }

// Revocations matches every event that revokes an attempt, on any host.
func (p Pool) Revocations() string { return p.subject("host", "*", "revoked", "*") }

// Usage is a host's telemetry: what its primary and its batch work use.
func (p Pool) Usage(host string) string { return p.subject("usage", host) }

// Beat is a host's heartbeat: what it runs and how far it has read.
func (p Pool) Beat(host string) string { return p.subject("beat", host) }

// Speed is a host's report of how fast its tasks read.
func (p Pool) Speed(host string) string { return p.subject("speed", host) }

// Ask is a question answered from a service's state, by core request and reply.
func (p Pool) Ask(what string) string { return p.subject("ask", what) }

// Quarantine is the subject for messages that lull cannot read. where is the place at which they
// arrived.
func (p Pool) Quarantine(where string) string { return p.subject("quarantine", where) }

// Streams and buckets of a pool.

// Log names the stream of a pool's events.
func (p Pool) Log() string { return "LULL_" + string(p) }

// Inbox names the stream that keeps what clients publish.
func (p Pool) Inbox() string { return "LULL_" + string(p) + "_INBOX" }

// QuarantineStream names the stream of messages that lull cannot read.
func (p Pool) QuarantineStream() string { return "LULL_" + string(p) + "_QUARANTINE" }

// Snapshots names the object bucket of actors' snapshots.
func (p Pool) Snapshots() string { return "LULL_" + string(p) + "_SNAPSHOTS" }

// Objects names the object bucket of what is too large for a message.
func (p Pool) Objects() string { return "LULL_" + string(p) + "_OBJECTS" }

// Leases names the key-value bucket of leases.
func (p Pool) Leases() string { return "LULL_" + string(p) + "_LEASES" }

// LogSubjects are the subjects that the log keeps: one pattern per kind of event, or two if events of
// the kind may be signed. So an event of an unknown kind never enters the log.
func (p Pool) LogSubjects() []string {
	subjects := make([]string, 0, len(Ledger.kinds))
	for _, k := range Ledger.kinds {
		subjects = append(subjects, p.subject(k.pattern()...))
		if k.signed() {
			subjects = append(subjects, p.subject(append(k.pattern(), "*")...))
		}
	}
	return subjects
}
