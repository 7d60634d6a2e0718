package hostctl

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/procfs"

	"lull/actors/shell"
	"lull/hostctl/actor"
	"lull/hostctl/attempts"
	"lull/hostctl/store"
)

// leavePatience bounds each wait of an agent that leaves: for the log to take the last facts, for
// kills to take effect, and for the groups of what was killed to be empty.
const leavePatience = 10 * time.Second

// cores is the number of CPUs of the machine on which this process runs.
func cores() uint32 { return uint32(runtime.NumCPU()) }

// coresBelow is the number of CPUs of the host that has its files below root. The tree of another
// host lists its own.
func coresBelow(root string) (uint32, error) {
	if filepath.Clean(root) == "/" {
		return cores(), nil
	}
	proc, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return 0, fmt.Errorf("number of CPUs: %w", err)
	}
	stat, err := proc.Stat()
	if err != nil || len(stat.CPU) == 0 {
		return 0, errors.Join(fmt.Errorf("number of CPUs: %s/proc/stat lists none", root), err)
	}
	return uint32(len(stat.CPU)), nil
}

// lead runs the host's actor, in a new term whenever the pool gave it up.
func (a *Agent) lead(ctx, life context.Context) error {
	for {
		again, err := a.runTerm(ctx, life)
		if err != nil || !again {
			return err
		}
	}
}

// runTerm runs one shell until the agent has left, the shell fails, or the host
// must join again.
func (a *Agent) runTerm(ctx, life context.Context) (again bool, err error) {
	if err := a.bindToLog(ctx); err != nil {
		return false, err
	}
	metrics := prometheus.NewRegistry() // the next term registers the same ones
	leader, err := a.newShell(metrics)
	if err != nil {
		return false, err
	}
	if a.cfg.Registerer != nil {
		if err := a.cfg.Registerer.Register(metrics); err != nil {
			return false, fmt.Errorf("metrics: %w", err)
		}
		defer a.cfg.Registerer.Unregister(metrics)
	}
	a.current.begin(leader, leader.Report,
		func() any { return actor.Disk{Full: a.disk.Full()} }, func() any { return a.guardian.Frozen() })
	leader.Report(actor.Adopted{Attempts: a.attempts.Held()})

	run, stop := context.WithCancel(life)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- leader.Run(run) }()
	select {
	case err := <-ended:
		return false, err
	case err := <-a.name.Taken():
		stop()
		<-ended //nolint:errcheck // the name is another's: that is what the caller has to know
		return false, err
	case <-a.rejoin:
		stop()
		return true, <-ended
	case <-ctx.Done():
		a.leave(leader, ended)
		stop()
		return false, <-ended
	}
}

// logPatience is the pause between attempts to read the log's description.
const logPatience = time.Second

// bindToLog makes sure that the attempts kept and running here are of this log. After a log
// was lost and made anew, the same ids name other attempts.
func (a *Agent) bindToLog(ctx context.Context) error {
	info, err := a.cfg.Bus.Log(ctx)
	for ; err != nil; info, err = a.cfg.Bus.Log(ctx) {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(logPatience):
		}
	}
	if created, _ := store.LogOf(a.store.Root()); !created.IsZero() && !created.Equal(info.Created) {
		for _, h := range a.attempts.Held() {
			a.attempts.Drop(h.Attempt)
		}
		a.attempts.Wait()
	}
	aside, err := a.store.BindToLog(info.Created)
	if aside != "" {
		a.cfg.Logger.Warn("the pool's log was made anew: outputs, logs and checkpoints of the old log's attempts are set aside", "folder", aside)
	}
	return err
}

// leave says good-bye: it waits until Left stands in the log, but not for ever.
func (a *Agent) leave(leader *shell.Shell, ended chan error) {
	patience := leavePatience
	if a.attempts.Count() > 0 {
		patience += max(a.cfg.EvictionGrace, 0) // of its tasks
	}
	if a.cfg.OneJob {
		patience = max(patience, leavePatience+attempts.LongestGrace(a.attempts)) // its user chose it
	}
	leader.Report(actor.Leave{})
	select {
	case <-a.gone:
	case err := <-ended:
		ended <- err
	case <-a.cfg.Hurry:
	case <-time.After(patience):
		a.cfg.Logger.Warn("the agent stops without recording it in the log: the log takes no events, or a task does not end")
	}
}

// newShell makes the shell of the next term, with an actor that goes on from the last one's
// harm, if there was one. The last one's shell has ended.
func (a *Agent) newShell(metrics prometheus.Registerer) (*shell.Shell, error) {
	c := a.cfg
	next := actor.Config{
		Host: c.Host, Cores: a.host, Slots: c.Slots, Ahead: uint32(c.Ahead),
		ReserveCPU: uint32(c.ReserveCPU), ReserveMemory: c.ReserveMemory, Tenant: c.Tenant, Evict: a.evict, Stay: c.Stay,
	}
	if a.actor != nil {
		next.HarmAccount = a.actor.HarmAccount()
	}
	a.actor = actor.New(next)
	return shell.New(shell.Config{
		Role: actor.Role(a.pool, c.Host), Instance: c.Host,
		Actor: a.actor,
		Bus:   a.bus, Claim: a.joined, Perform: a.perform,
		Logger: c.Logger, Registerer: metrics, Tracer: c.Tracer,
	})
}

// report is current.report.
func (a *Agent) report(outcome any) { a.current.report(outcome) }

// close ends the shims, or leaves them with what they run. With nothing to
// leave there is nothing to stay for: no shim, and no cgroup.
func (a *Agent) close(ctx context.Context, failure error) error {
	quit := !a.cfg.Stay || failure != nil || a.attempts.Empty()
	a.attempts.Leave(quit)
	err := withLeaveTimeout(ctx, func(ctx context.Context) error { return a.slots.Close(ctx, quit) })
	a.attempts.Wait()
	if quit {
		a.stopGuard() // it would miss the groups
		err = errors.Join(err, withLeaveTimeout(ctx, a.slots.Tree.Remove))
	}
	_ = a.web.Close()
	a.inputs.Close()
	if err != nil {
		return fmt.Errorf("agent of host %s: %w", a.cfg.Host, err)
	}
	return nil
}

// withLeaveTimeout gives one step of leaving its own time.
func withLeaveTimeout(ctx context.Context, step func(context.Context) error) error {
	ctx, stop := context.WithTimeout(ctx, leavePatience)
	defer stop()
	return step(ctx)
}

// handleSamples passes on the host's own telemetry.
func (a *Agent) handleSamples(ctx context.Context) {
	for {
		select {
		case u := <-a.cfg.Usage:
			if u != nil {
				a.usage.Store(u)
				attempts.Checkpoints{Of: a.attempts}.Report() // first: the sample may end the attempt that loses least
				a.report(u)
				if a.cfg.Harm != nil {
					a.report(a.cfg.Harm())
				}
			}
		case <-ctx.Done():
			return
		}
	}
}
