package shell

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"lull/actors"
	"lull/subjects"
)

// Config says which actor a shell runs, in which role, on which bus.
type Config struct {
	// Role is what the actor's service says of it.
	actors.Role
	// Instance names this process for people. The shell adds a random suffix,
	// because every start is an instance of its own. Defaults to host and pid.
	Instance string
	// Actor is the pure half, in its initial state. Required.
	Actor actors.Actor
	// Bus carries the log. Required.
	Bus actors.Bus

	// Claim makes the event that opens a term. Defaults to a *subjects.Led; a
	// host makes its *subjects.Joined. Its Instance must be the one given.
	Claim func(instance string) subjects.Event
	// Perform carries an action out and must not block: what takes time goes
	// to a goroutine of the caller's, and comes back by Shell.Report.
	// Required if the actor has actions.
	Perform func(actors.Action)
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
	if c.Bus != nil {
		c.Role = c.In(c.Bus.Pool())
	}
	if c.Instance == "" {
		host, _ := os.Hostname()
		c.Instance = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	c.Instance += "-" + strings.ToLower(rand.Text()[:8])
	if c.Claim == nil {
		c.Claim = c.led
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
	_, answers := c.Actor.(actors.Answerer)
	refuse(c.Actor == nil, "Actor is missing")
	refuse(c.Bus == nil, "Bus is missing")
	refuse(len(c.Asks) > 0 && !answers, "Asks are given, but the Actor is no Answerer")
	if err := errors.Join(append(errs, c.Check())...); err != nil {
		return fmt.Errorf("shell %s: %w", c.Name, err)
	}
	return nil
}
