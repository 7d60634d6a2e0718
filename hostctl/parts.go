package hostctl

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/attempts"
	"lull/hostctl/disk"
	"lull/hostctl/fileserver"
	"lull/hostctl/inputs"
	"lull/hostctl/kept"
	"lull/hostctl/pace"
	"lull/hostctl/pacing"
	"lull/hostctl/probing"
	"lull/hostctl/queries"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/hostctl/speeds"
	"lull/hostctl/telemetry"
	"lull/hostctl/ticket"
)

// openParts makes the parts of the host that work with its slots and its store, each with what it
// asks of the others.
func (a *Agent) openParts() (err error) {
	slotter := queries.New(a.cfg.Lookup)
	if a.kept, err = kept.New(kept.Config{
		Host: a.cfg.Host, Store: a.store, Slotter: slotter, Ready: a.ready,
		Busy:   func(job string) bool { return a.attempts.Busy(job) },
		Report: func(m actor.Missing) { a.report(m) }, Logger: a.cfg.Logger, Registerer: a.cfg.Registerer,
	}); err != nil {
		return err
	}
	a.inputs = inputs.New(inputs.Config{
		Host: a.cfg.Host, Store: a.store, Lookup: a.cfg.Lookup, Slotter: slotter, Keeper: a.kept,
		Ticket: a.cfg.Lookup.Ticket, Roots: a.cfg.Roots, Moved: a.cfg.Moved, TaskTransfers: a.cfg.TaskTransfers, Transfers: a.cfg.Transfers,
	})
	a.pacer = pacing.New(pacing.NewActuator(a.caps, a.slots.Caps, a.slots.All), float64(cores()), a.cfg.Logger)
	a.pacer.Idle = a.idleCores
	a.pacer.OnLearnt = func(t *pacing.Task, l *pace.Learnt) { a.attempts.ReportLearnt(t, l) }
	a.disk = disk.New(disk.Config{
		Store: a.store, Proc: filepath.Join(a.cfg.Root, "proc"), MinFree: a.cfg.MinFree,
		Running: func() []disk.Attempt { return a.attempts.OnDisk() }, Report: a.report, Logger: a.cfg.Logger,
	})
	a.attempts = attempts.New(attempts.Config{
		Root: a.cfg.Root, Grace: a.cfg.Grace, EvictionGrace: a.cfg.EvictionGrace, OneJob: a.cfg.OneJob, LogBytes: a.cfg.LogBytes, TaskPath: a.cfg.TaskPath, Publisher: append(slices.Clone(a.cfg.Shim), shim.Publish), Policy: a.policy,
		Store: a.store, Inputs: a.inputs, Pacer: a.pacer, Caps: a.slots.Caps, Slot: a.slots.Get, Stdin: a.cfg.Stdin,
		Began: func() { a.guardian.Wake() }, Disk: a.disk, Report: a.report, Logger: a.cfg.Logger,
	})
	a.mover = newMover(func(ctx context.Context) ([]uint64, error) { return slotter.Movable(ctx, a.cfg.Host) }, a.report, a.cfg.Logger)
	a.freezer = slots.NewFreezer(a.slots.Hold, a.cfg.Logger)
	a.openTelemetry()
	return a.openWeb()
}

// openTelemetry makes what publishes heartbeats and rates.
func (a *Agent) openTelemetry() {
	sender := telemetry.Sender{Pool: a.pool, Bus: a.cfg.Bus}
	a.beats = telemetry.NewBeats(sender, a.cfg.Logger)
	a.speeds = &speeds.Reporter{
		Host: a.cfg.Host, Running: a.attempts.Meters, Storing: func() []speeds.Storing { return attempts.Storing(a.attempts) },
		Cap: a.slots.Caps.Capped, Reference: a.pacer.Reference,
		Sender: sender, Logger: a.cfg.Logger,
	}
}

// openWeb opens the socket from which readers get outputs and logs, with tickets.
func (a *Agent) openWeb() (err error) {
	a.tickets = &ticket.Issuer{
		Office: ticket.New(a.cfg.Host), Bus: a.cfg.Bus, Logger: a.cfg.Logger,
		Subjects: []string{a.pool.Ticket(a.cfg.Host), a.pool.Pass(a.cfg.Host)},
	}
	good := func(t string) bool { return a.tickets.Office.Check(t, time.Now()) }
	var prober *probing.Prober
	if a.cfg.Probe {
		prober = &probing.Prober{Ticket: a.cfg.Lookup.Ticket, HTTP: inputs.NewTransport(a.cfg.Roots, 1, a.cfg.Moved)}
	}
	a.web, err = fileserver.Listen(
		fileserver.Config{Address: a.cfg.Listen, Advertise: a.cfg.Advertise, TLS: a.cfg.TLS, Moved: a.cfg.Moved},
		fileserver.Handler(a.store, live{a.kept, a.attempts}, good, prober.Handle))
	if err == nil {
		a.tickets.URL = a.web.URL()
	}
	return err
}

// live is what the file server asks: which attempts run now, and the keeper of what is kept.
type live struct {
	*kept.Keeper
	*attempts.Runner
}

var _ fileserver.Live = live{}
