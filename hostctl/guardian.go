package hostctl

import (
	"path/filepath"
	"runtime"

	"lull/hostctl/actor"
	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
	"lull/hostctl/guarding"
	"lull/hostctl/pace"
	"lull/hostctl/slots"
)

// guardConfig is what the agent's guardian works with.
func (a *Agent) guardConfig() guarding.Config {
	return guarding.Config{
		Guard: guard.Config{
			Cores: runtime.NumCPU(), Fewer: a.caps.Cores.OK(), Cap: a.caps.Cap.OK(), Budget: max(a.cfg.GuardBudget, 0),
			Reserve: a.cfg.ReserveMemory, Disk: a.caps.DiskCap.OK() && a.caps.Pressure.OK(),
		},
		Ration: guard.Ration{After: max(a.cfg.StarveAfter, 0), Run: max(a.cfg.StarveRun, 0)},
		Host:   a.cfg.Host, Root: a.cfg.Root, Cores: int(cores()),
		Caps: a.caps, Gauges: a.slots.Tree.Gauges(), Trees: a.trees, Bounds: a.slots.Tree, Sensor: a.cfg.Sensor,
		Settings: &a.slots.Tree.Settings, Alone: func() bool { return cgroup.Alone(a.slots.Tree) },
		Usage:  a.usage.Load,
		Tasks:  func() int { return a.attempts.Count() },
		Freeze: func(on bool) error { a.freezer.Set(slots.ByGuard, on); return nil },
		Yield:  func(on bool) error { return yield(a.slots, on) },
		Report: func(r any) {
			relieve, evict := r.(actor.Relieve)
			switch {
			case evict && !relieve.AtOnce:
				a.mover.move(relieve) // it lacks CPU
			case !evict || !a.attempts.EvictUnclaimed(): // memory has no patience, not even to read the log
				a.report(r)
			}
		},
		Record: filepath.Join(a.store.Root(), guarding.RecordName),
		Watch:  a.spread.UpdateGate, Logger: a.cfg.Logger, Registerer: a.cfg.Registerer,
	}
}

// Guarded returns the cores that batch work may use, why they are fewer than all or what else is
// held back ("" if nothing is), and the budget. The budget is in seconds that the primary may wait
// because of batch work, per CPU second of its own.
func (a *Agent) Guarded() (cores float64, why string, budget float64) {
	full := ""
	if a.disk.Full() {
		full = "the disk is full, no task starts"
	}
	cores, why = a.guardian.Allowed()
	return cores, guarding.Join(full, why), max(a.cfg.GuardBudget, 0)
}

// idleCores returns the cores that the primary leaves idle and the guard does not withhold, by
// telemetry; 0 before its first sample.
func (a *Agent) idleCores() float64 {
	u := a.usage.Load()
	if u == nil {
		return 0
	}
	may, _, _ := a.Guarded()
	return max(min(u.Idle, may), pace.Least)
}

// yieldedCap is the cap of a slot that yields, in cores. It is enough for a task to end by itself.
const yieldedCap = 0.01

// yield caps all slots next to nothing, or lifts that cap. Freezing takes CPU time of the
// task itself, for which it has to wait beside a primary that uses every core; a cap takes none.
func yield(all *slots.Set, on bool) error {
	if on {
		return all.CapAll(yieldedCap)
	}
	return all.CapAll(0)
}
