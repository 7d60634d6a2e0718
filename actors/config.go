package actors

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"lull/subjects"
)

// Config says which actor a shell runs, on which bus, and how.
type Config struct {
	// Name is the actor's: "admission", "slotter". A subject token. Required.
	Name string
	// Partition is what this instance writes for: a host, a shard. A subject
	// token. Defaults to "all".
	Partition string
	// Instance names this process for people. The shell adds a random suffix,
	// because every start is an instance of its own. Defaults to host and pid.
	Instance string
	// Actor is the pure half, in its initial state. Required.
	Actor Actor
	// Bus carries the log. Required.
	Bus Bus

	// Claim makes the event that opens a term. Defaults to a *subjects.Led; a
	// host makes its *subjects.Joined. Its Instance must be the one given.
	Claim func(instance string) subjects.Event
	// LedSubject is the subject of what Claim makes. Defaults to
	// Pool.Led(Name, Partition).
	LedSubject string
	// Filter is the pattern of the log that the actor folds, "" for all. It
	// must match LedSubject and all that the actor decides: a shell waits for
	// the echo of its decisions.
	Filter string
	// Version is that of the snapshots that the actor makes. It stands in their
	// names, so that versions that run beside each other keep one each.
	Version int
	// Reads lists the earlier versions of snapshots that the actor restores, the
	// latest first. Defaults to none.
	Reads []int
	// Anywhere says that the fold may begin in the middle of the log: that
	// what was trimmed away cannot matter to it. So it is with a host, not
	// with a service that keeps the whole ledger.
	Anywhere bool

	// Telemetry lists patterns of telemetry to step with. Defaults to none.
	Telemetry []string
	// Asks lists questions (Pool.Ask) that the Actor, an Answerer, answers
	// while it leads. Defaults to none.
	Asks []string
	// Perform carries an action out and must not block: what takes time goes
	// to a goroutine of the caller's, and comes back by Shell.Report.
	// Required if the actor has actions.
	Perform func(Action)

	// Lease is how long the partition stays with an instance that is no
	// longer heard of, at least one second. Zero means no lease: for
	// partitions with one candidate, such as a host.
	Lease time.Duration
	// SnapshotEvery is the number of entries that the shell folds between two
	// snapshots; with a Filter, only those that it matches count. Defaults to 0:
	// no snapshots, every start folds the log from its beginning.
	SnapshotEvery uint64
	// SnapshotAfter is the longest time between two snapshots, if at least one
	// entry came in between. Defaults to 0: no limit.
	SnapshotAfter time.Duration
	// Keep is the number of entries that stay in the log when it is trimmed.
	// A leader that folds Keep/2 entries in one term opens a new one, before its
	// Led is trimmed away. Defaults to 0: never trim.
	Keep uint64
	// Trimmer makes this shell the one that trims the log, if it leads.
	Trimmer bool
	// Awaits names the other services (NAME.PARTITION) that fold the whole log.
	// The Trimmer keeps all entries after their snapshots, and drops nothing while
	// one of them has no snapshot: once the log's beginning is gone, a service
	// without a snapshot can never start. Hosts may start anywhere in the log, so
	// their snapshots keep nothing. Defaults to none.
	Awaits []string

	// Memory returns the last measurement of the process's memory, and must not
	// block. While it is Full and the Actor is a Loaded one with open jobs, the
	// inbox is not read. Defaults to none: the inbox is always read.
	Memory func() subjects.Memory

	// Logger defaults to one that discards.
	Logger *slog.Logger
	// Registerer takes the shell's metrics. Defaults to none.
	Registerer prometheus.Registerer
	// Tracer makes a span for every batch. Defaults to one that does nothing;
	// the traceparent of a job is passed on even then.
	Tracer trace.Tracer
}

func (c *Config) fill() {
	if c.Partition == "" {
		c.Partition = "all"
	}
	if c.Instance == "" {
		host, _ := os.Hostname()
		c.Instance = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	c.Instance += "-" + strings.ToLower(rand.Text()[:8])
	if c.Claim == nil {
		c.Claim = c.led
	}
	if c.LedSubject == "" && c.Bus != nil {
		c.LedSubject = c.Bus.Pool().Led(c.Name, c.Partition)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Tracer == nil {
		c.Tracer = noop.Tracer{}
	}
}

func (c *Config) led(instance string) subjects.Event {
	return &subjects.Led{Actor: c.Name, Partition: c.Partition, Instance: instance, Format: subjects.Format}
}

func (c *Config) validate() error {
	var errs []error
	refuse := func(when bool, why string) {
		if when {
			errs = append(errs, errors.New(why))
		}
	}
	_, answers := c.Actor.(Answerer)
	refuse(c.Actor == nil, "Actor is missing")
	refuse(c.Bus == nil, "Bus is missing")
	refuse(len(c.Asks) > 0 && !answers, "Asks are given, but the Actor is no Answerer")
	refuse(c.Lease != 0 && c.Lease < time.Second, "Lease is shorter than a second, the least that a server keeps")
	refuse(!Match(c.Filter, c.LedSubject), fmt.Sprintf("Filter %q does not match LedSubject %q: the shell would never see its own term", c.Filter, c.LedSubject))
	errs = append(errs, subjects.CheckToken("Name", c.Name), subjects.CheckToken("Partition", c.Partition))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("shell %s: %w", c.Name, err)
	}
	return nil
}

// owner is the name of the partition among leases, and the beginning of its
// snapshots' names.
func (c *Config) owner() string { return c.Name + "." + c.Partition }
