package hostctl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"lull/actors/shell"
	"lull/hostctl/actor"
	"lull/hostctl/cgroup"
	"lull/hostctl/contain"
	"lull/hostctl/disk"
	"lull/hostctl/fileserver"
	"lull/hostctl/guarding"
	"lull/hostctl/inputs"
	"lull/hostctl/kept"
	"lull/hostctl/pacing"
	"lull/hostctl/queries"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/hostctl/snapshots"
	"lull/hostctl/spreading"
	"lull/hostctl/store"
	"lull/hostctl/telemetry"
	"lull/hostctl/ticket"
	"lull/subjects"
)

// Agent runs the tasks of one host. Make it with New, run it once with Run.
type Agent struct {
	cfg  Config
	pool subjects.Pool
	caps cgroup.Capabilities
	// policy is how tasks are contained beside their cgroups.
	policy contain.Policy
	tree   *cgroup.Tree
	// slotCaps alone writes the slots' CPU caps.
	slotCaps  *slots.Caps
	guardian  *guarding.Guardian
	unguard   func()            // ends the guard, and waits
	spread    *spreading.Keeper // nil where the primary's threads are not moved
	pacer     *pacing.Pacer
	usage     atomic.Pointer[subjects.Usage] // the newest telemetry
	store     *store.Store
	kept      *kept.Keeper
	slotter   queries.Slotter
	bus       *snapshots.Bus // the bus of the host's shell
	slots     []*slots.Slot
	inputs    *inputs.Gatherer
	web       *fileserver.Listener
	tickets   *ticket.Issuer
	disk      *disk.Monitor
	freezer   *slots.Freezer
	telemetry telemetry.Sender
	boot      string
	evict     actor.Eviction
	actor     *actor.Actor // of the present term
	beats     *telemetry.Beats
	ready     chan struct{} // closed when the host has joined and settled
	once      sync.Once

	mu struct {
		sync.Mutex
		shell *shell.Shell
		runs  map[uint64]*run   // held by shims or on their way there
		found map[uint64]*found // held by shims when the agent began, unclaimed
	}
	work   sync.WaitGroup // goroutines of attempts
	gone   chan struct{}  // Left stands in the log
	rejoin chan struct{}
}

// New finds out what the host can do and takes its folder, its cgroups and its
// address. Close what New returns by running it.
func New(cfg Config) (*Agent, error) {
	if err := cfg.fill(); err != nil {
		return nil, err
	}
	evict, err := actor.ParseEviction(cfg.Evict)
	if err != nil {
		return nil, fmt.Errorf("agent: %w", err)
	}
	a := &Agent{
		cfg: cfg, evict: evict, pool: cfg.Bus.Pool(), slotter: queries.New(cfg.Lookup),
		ready: make(chan struct{}),
		gone:  make(chan struct{}, 1), rejoin: make(chan struct{}, 1), unguard: func() {},
	}
	a.telemetry = telemetry.Sender{Pool: a.pool, Bus: cfg.Bus}
	a.tickets = &ticket.Issuer{
		Office: ticket.New(cfg.Host), Bus: cfg.Bus, Logger: cfg.Logger,
		Subjects: []string{a.pool.Ticket(cfg.Host), a.pool.Pass(cfg.Host)},
	}
	a.mu.runs, a.mu.found = make(map[uint64]*run), make(map[uint64]*found)
	a.beats = telemetry.NewBeats(a.telemetry, cfg.Logger)
	a.freezer = slots.NewFreezer(a.allSlots, cfg.Logger)
	if err := a.open(); err != nil {
		return nil, fmt.Errorf("agent of host %s: %w", a.cfg.Host, err)
	}
	return a, nil
}

func (a *Agent) open() (err error) {
	if a.store, err = store.Open(filepath.Join(a.cfg.Data, string(a.pool))); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			a.clearAway()
			err = errors.Join(err, a.store.Close())
		}
	}()
	if a.bus, err = snapshots.Open(a.cfg.Bus, filepath.Join(a.store.Root(), "snapshots")); err != nil {
		return err
	}
	if a.caps, err = cgroup.Detect(a.cfg.Root); err != nil {
		return err
	}
	if err := a.cfg.size(a.caps.Idle.OK()); err != nil {
		return err
	}
	if err := a.contain(); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(a.cfg.Root, "proc/sys/kernel/random/boot_id"))
	if err != nil {
		return fmt.Errorf("identity of this boot: %w", err)
	}
	a.boot = strings.TrimSpace(string(b))
	if err := a.openSlots(); err != nil {
		return err
	}
	if len(a.cfg.Sum) > 0 {
		a.store.HashBy(a.hasher)
	}
	a.slotCaps = slots.NewCaps(int(a.cores()), func(n int, cores float64) error { return a.slots[n].Group.SetCap(cores) })
	if a.spread, err = spreading.Open(spreading.Config{
		Mode: a.cfg.Spread, Command: a.cfg.Spreader, Note: filepath.Join(a.store.Root(), "moving"), Idle: a.caps.Idle.OK(),
		Host: a.cfg.Host, Logger: a.cfg.Logger, Registerer: a.cfg.Registerer,
	}); err != nil {
		return err
	}
	if a.guardian, err = guarding.New(a.guarding()); err != nil {
		return err
	}
	a.openPace()
	if a.kept, err = kept.New(kept.Config{
		Host: a.cfg.Host, Store: a.store, Slotter: a.slotter, Ready: a.ready, Busy: a.works,
		Report: func(m actor.Missing) { a.report(m) }, Logger: a.cfg.Logger, Registerer: a.cfg.Registerer,
	}); err != nil {
		return err
	}
	a.inputs = inputs.New(inputs.Config{
		Host: a.cfg.Host, Store: a.store, Lookup: a.cfg.Lookup, Slotter: a.slotter, Keeper: a.kept,
		Ticket: a.cfg.Lookup.Ticket, Roots: a.cfg.Roots,
	})
	a.disk = disk.New(disk.Config{
		Store: a.store, Proc: filepath.Join(a.cfg.Root, "proc"), MinFree: a.cfg.MinFree,
		Running: a.onDisk, Report: a.report, Logger: a.cfg.Logger,
	})
	a.web, err = fileserver.Listen(fileserver.Config{Address: a.cfg.Listen, Advertise: a.cfg.Advertise, TLS: a.cfg.TLS}, a.handler())
	return err
}

// clearAway removes the cgroups of an agent that cannot begin, unless an earlier one left
// shims in them.
func (a *Agent) clearAway() {
	if a.tree == nil || slices.ContainsFunc(a.slots, (*slots.Slot).Alive) {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	stop() // they are empty, or stay
	_ = a.tree.Remove(ctx)
}

// openSlots makes the cgroups.
func (a *Agent) openSlots() error {
	tree, err := cgroup.Open(a.caps, groupName(a.cfg.Host, a.store))
	if err != nil {
		return err
	}
	a.tree = tree
	if err := tree.Disk(a.store.Root()); err != nil {
		a.cfg.Logger.Debug("batch work's disk rate cannot be bounded here", "err", err)
	}
	for n := range int(a.cfg.Slots) {
		s, err := a.openSlot(n)
		if err != nil {
			return err
		}
		a.slots = append(a.slots, s)
	}
	return nil
}

func (a *Agent) openSlot(n int) (*slots.Slot, error) {
	cfg := shim.Config{Dir: a.store.Slot(n), Background: !a.caps.Idle.OK(), Command: a.cfg.Shim}
	if !a.caps.PIDs.OK() {
		cfg.Processes = slots.MaxProcesses
	}
	var err error
	if cfg.FileSize, err = a.fileSize(); err != nil {
		return nil, err
	}
	group, err := a.tree.Slot(n)
	if err != nil {
		return nil, err
	}
	cfg.Slot = group
	return slots.New(n, cfg, a.caps.Freeze.OK()), nil
}

// allSlots returns the slots, among them those of an earlier agent that had more.
func (a *Agent) allSlots() []*slots.Slot { return a.slots }

// Ready is closed when the host has joined and knows what runs on it.
func (a *Agent) Ready() <-chan struct{} { return a.ready }

// Capabilities are what the host's kernel offers.
func (a *Agent) Capabilities() cgroup.Capabilities { return a.caps }

// joined is the host's next incarnation.
func (a *Agent) joined(instance string) subjects.Event {
	return &subjects.Joined{
		Host: a.cfg.Host, Instance: instance, Boot: a.boot,
		Cores: a.cores(), Slots: a.cfg.Slots, Ahead: uint32(a.cfg.Ahead), Memory: a.cfg.Memory, Labels: a.cfg.Labels,
		URL: a.web.URL(), Class: a.caps.Lines()[0].Text, Version: a.cfg.Version,
		Tenant: a.cfg.Tenant, TaskUser: a.policy.User.Number(), Format: subjects.Format,
	}
}

// Run leads the host until ctx ends, and then leaves: see Config.Stay. It
// returns actors.ErrReplaced if another agent uses the host's name.
func (a *Agent) Run(ctx context.Context) error {
	// What attempts and helpers do goes on while the agent leaves.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	var helpers sync.WaitGroup
	err := a.adopt(life)
	if err == nil {
		for _, help := range []func(context.Context){a.beats.Run, a.disk.Run, a.readRates, a.freezer.Run, a.kept.Run, a.samples, a.spread.Run, a.pacer.Run, a.tickets.Run, a.web.Serve} {
			helpers.Go(func() { help(life) })
		}
		a.unguard = background(life, a.guardian.Run)
		err = a.lead(ctx, life)
	}
	err = errors.Join(err, a.close(life, err))
	end()
	a.unguard()
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
	for _, n := range a.tree.Slots() {
		for len(a.slots) <= n { // it had more slots: they finish what they run
			s, err := a.openSlot(len(a.slots))
			if err != nil {
				return err
			}
			a.slots = append(a.slots, s)
		}
	}
	for _, s := range a.slots {
		if err := a.adoptFrom(ctx, s); err != nil {
			a.cfg.Logger.Error("a slot cannot be taken over: what ran in it is lost, and it declines tasks until its shim or processes have ended", "slot", s.N, "error", err)
		}
	}
	return nil
}
