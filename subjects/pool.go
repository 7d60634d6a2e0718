package subjects

import (
	"fmt"
	"strings"
)

// Pool is a partition of hosts with one log. All subjects, streams and buckets
// of a pool carry its name; a Pool made by ParsePool is a valid token.
type Pool string

// DefaultPool is the pool of programs that name none.
const DefaultPool Pool = "default"

// ParsePool checks that name can be a pool's. Buckets carry it too, and their
// names are narrower than tokens: letters, digits, '-' and '_'.
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

// prefix begins every subject of ours.
const prefix = "lull."

func (p Pool) subject(tokens ...string) string {
	return prefix + string(p) + "." + strings.Join(tokens, ".")
}

// Led is the subject whose last message names the writer of a partition.
func (p Pool) Led(actor, partition string) string { return p.subject("led", actor, partition) }

// Joined is the subject whose last message is a host's incarnation.
func (p Pool) Joined(host string) string { return p.subject("host", host, "joined") }

// OfHost matches every fact by or for a host.
func (p Pool) OfHost(host string) string { return p.subject("host", host, ">") }

// OfJob matches every fact about a job as a whole.
func (p Pool) OfJob(job string) string { return p.subject("job", job, ">") }

// OfTasks matches every fact about a job's tasks, on any host.
func (p Pool) OfTasks(job string) string { return p.subject("host", "*", "*", job) }

// Revocations matches every word that takes an attempt back, on any host.
func (p Pool) Revocations() string { return p.subject("host", "*", "revoked", "*") }

// Usage is a host's telemetry: what its primary and its batch work use.
func (p Pool) Usage(host string) string { return p.subject("usage", host) }

// Beat is a host's heartbeat: what it runs and how far it has read.
func (p Pool) Beat(host string) string { return p.subject("beat", host) }

// Speed is a host's word on how fast its tasks read.
func (p Pool) Speed(host string) string { return p.subject("speed", host) }

// Ask is a question answered from a service's state, by core request and reply.
func (p Pool) Ask(what string) string { return p.subject("ask", what) }

// Quarantine is where bytes that are no message of ours are kept.
func (p Pool) Quarantine(where string) string { return p.subject("quarantine", where) }

// Streams and buckets of a pool.

// Log names the stream of a pool's facts.
func (p Pool) Log() string { return "LULL_" + string(p) }

// Inbox names the stream that keeps what clients publish.
func (p Pool) Inbox() string { return "LULL_" + string(p) + "_INBOX" }

// QuarantineStream names the stream of refused bytes.
func (p Pool) QuarantineStream() string { return "LULL_" + string(p) + "_QUARANTINE" }

// Snapshots names the object bucket of actors' snapshots.
func (p Pool) Snapshots() string { return "LULL_" + string(p) + "_SNAPSHOTS" }

// Objects names the object bucket of what is too large for a message.
func (p Pool) Objects() string { return "LULL_" + string(p) + "_OBJECTS" }

// Leases names the key-value bucket of leases.
func (p Pool) Leases() string { return "LULL_" + string(p) + "_LEASES" }

// LogSubjects are the subjects that the log keeps: one pattern a kind of event, or two if it may be
// signed. So a message with an unknown verb never enters the log.
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
