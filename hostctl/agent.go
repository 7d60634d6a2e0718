package hostctl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"lull/hostctl/actor"
	"lull/hostctl/attempts"
	"lull/hostctl/cgroup"
	"lull/hostctl/coalesce"
	"lull/hostctl/contain"
	"lull/hostctl/disk"
	"lull/hostctl/fileserver"
	"lull/hostctl/guarding"
	"lull/hostctl/inputs"
	"lull/hostctl/kept"
	"lull/hostctl/pacing"
	"lull/hostctl/slots"
	"lull/hostctl/snapshots"
	"lull/hostctl/speeds"
	"lull/hostctl/spreading"
	"lull/hostctl/store"
	"lull/hostctl/telemetry"
	"lull/hostctl/ticket"
	"lull/hostctl/trees"
	"lull/hostctl/vacancy"
	"lull/subjects"
)

// Agent runs the tasks of one host. Make it with New, run it once with Run.
type Agent struct {
	cfg   Config
	pool  subjects.Pool
	boot  string // id of the machine's boot
	host  uint32 // cores of the host
	caps  cgroup.Capabilities
	evict actor.Eviction
	// policy is how tasks are contained beside their cgroups.
	policy contain.Policy

	name  *vacancy.Bus   // keeps others from using the host's name, and this from using theirs
	bus   *snapshots.Bus // the bus of the host's shell, over name
	store *store.Store
	slots *slots.Set
	trees *trees.Counter // CPU time of batch work; nil where cgroups account for it

	attempts *attempts.Runner
	inputs   *inputs.Gatherer
	kept     *kept.Keeper
	disk     *disk.Monitor
	freezer  *slots.Freezer
	guardian *guarding.Guardian
	mover    *mover
	pacer    *pacing.Pacer
	spread   *spreading.Keeper // nil where the primary's threads are not moved
	beats    *telemetry.Beats
	speeds   *speeds.Reporter
	tickets  *ticket.Issuer
	web      *fileserver.Listener

	usage     atomic.Pointer[subjects.Usage] // the newest telemetry
	actor     *actor.Actor                   // of the present term
	stopGuard func()                         // ends the guard, and waits
	ready     chan struct{}                  // closed when the host has joined and settled
	once      sync.Once                      // closes ready
	gone      coalesce.Signal                // Left stands in the log
	rejoin    coalesce.Signal                // the pool gave this host up for lost
	current   current
}

// New finds out what the host can do and takes its folder, its cgroups and its
// address. Close what New returns by running it.
func New(cfg Config) (*Agent, error) {
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	evict, err := actor.ParseEviction(cfg.Evict)
	if err != nil {
		return nil, fmt.Errorf("agent: %w", err)
	}
	a := &Agent{
		cfg: cfg, evict: evict, pool: cfg.Bus.Pool(), ready: make(chan struct{}),
		gone: coalesce.New(), rejoin: coalesce.New(), stopGuard: func() {},
	}
	if err := a.open(); err != nil {
		return nil, fmt.Errorf("agent of host %s: %w", a.cfg.Host, err)
	}
	return a, nil
}

// Ready is closed when the host has joined and knows what runs on it.
func (a *Agent) Ready() <-chan struct{} { return a.ready }

// Capabilities are what the host's kernel offers.
func (a *Agent) Capabilities() cgroup.Capabilities { return a.caps }

// joined is the host's next incarnation. The shell asks for it when the actor has folded the log.
func (a *Agent) joined(instance string) subjects.Event {
	a.name.Expect(instance, vacancy.Term(a.actor.LastTerm()))
	machine, _ := os.Hostname() // without one the client goes by the host's name
	return &subjects.Joined{
		Host: a.cfg.Host, Instance: instance, Boot: a.boot,
		Cores: a.host, Slots: a.cfg.Slots, Ahead: uint32(a.cfg.Ahead), Memory: a.cfg.Memory, Labels: a.cfg.Labels,
		URL: a.web.URL(), Class: a.caps.Lines()[0].Text, Version: a.cfg.Version,
		ReserveCPU: uint32(a.cfg.ReserveCPU), ReserveMemory: a.cfg.ReserveMemory,
		Tenant: a.cfg.Tenant, TaskUser: a.policy.User.Number(), Format: subjects.Format, NIC: nicRate(a.cfg.Root), Probe: a.cfg.Probe, Machine: machine,
	}
}

// Run leads the host until ctx ends, and then leaves: see Config.Stay. It
// returns vacancy.ErrTaken if another agent is alive under the host's name, and actors.ErrReplaced
// if another took the name after this one was silent.
func (a *Agent) Run(ctx context.Context) error {
	// What attempts and helpers do goes on while the agent leaves.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	var helpers sync.WaitGroup
	err := a.adopt(life)
	if err == nil {
		for _, help := range []func(context.Context){a.beats.Run, a.disk.Run, a.speeds.Run, a.freezer.Run, a.kept.Run, a.handleSamples, a.mover.run, a.spread.Run, a.pacer.Run, a.name.Once(a.tickets.Run), a.web.Serve} {
			helpers.Go(func() { help(life) })
		}
		a.stopGuard = background(life, a.guardian.Run)
		err = a.lead(ctx, life)
	}
	err = errors.Join(err, a.close(life, err))
	end()
	a.stopGuard()
	helpers.Wait()
	return errors.Join(err, a.store.Close())
}

// background runs what ends with a context. end ends it earlier, and waits.
func background(ctx context.Context, run func(context.Context)) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); run(ctx) }()
	return func() { cancel(); <-ended }
}

// adopt connects to the shims that an earlier agent left.
func (a *Agent) adopt(ctx context.Context) error {
	if err := a.slots.Extend(); err != nil {
		return err
	}
	for _, s := range a.slots.All() {
		if err := a.attempts.AdoptFrom(ctx, s); err != nil {
			a.cfg.Logger.Error("a slot cannot be taken over: what ran in it is lost, and it declines tasks until its shim or processes have ended", "slot", s.N, "error", err)
		}
	}
	return nil
}
