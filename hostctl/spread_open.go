package hostctl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// SpreadMode says whether waiting threads of the primary are moved.
type SpreadMode string

// The modes.
const (
	SpreadAuto SpreadMode = "auto" // where the agent is root, and batch is in the idle class
	SpreadOn   SpreadMode = "on"   // anyhow; an agent that cannot does not start
	SpreadOff  SpreadMode = "off"  // they stay where the kernel queues them
)

// ParseSpread reads a mode; "" is auto.
func ParseSpread(text string) (SpreadMode, error) {
	switch mode := SpreadMode(text); mode {
	case "":
		return SpreadAuto, nil
	case SpreadAuto, SpreadOn, SpreadOff:
		return mode, nil
	}
	return "", fmt.Errorf("spread %q: use auto, on or off", text)
}

// openSpread undoes what an agent left that was killed in a move, and then
// prepares to move threads, if that is wanted and possible.
func (a *Agent) openSpread() error {
	mode, err := ParseSpread(string(a.cfg.Spread))
	if err != nil {
		return err
	}
	s := &spreading{
		command: a.cfg.Spreader, note: filepath.Join(a.store.Root(), "moving"), log: a.cfg.Logger,
		gate: spreadGate{cores: float64(runtime.NumCPU())},
	}
	s.restore()
	if mode == SpreadOff {
		return nil
	}
	missing := a.unspreadable(mode)
	if missing == nil {
		missing = s.show(a.cfg.Registerer, a.cfg.Host)
	}
	if missing == nil {
		a.spread = s
	}
	switch {
	case missing == nil:
	case mode == SpreadOn:
		return fmt.Errorf("spread the primary's threads: %w; without --spread on the agent does without", missing)
	default:
		a.cfg.Logger.Info("guard: the primary's threads stay where the kernel queues them", "error", missing)
	}
	return nil
}

// unspreadable says what is missing.
func (a *Agent) unspreadable(mode SpreadMode) error {
	switch {
	case runtime.NumCPU() < 2:
		return errors.New("there is one core")
	case a.cfg.Spreader == nil:
		return errors.New("nothing here sees where they wait, which takes root and a kernel with eBPF, or the primary's cgroups named (--primary)")
	case mode == SpreadOn:
		return nil
	case os.Geteuid() != 0:
		return errors.New("the agent is not root")
	case !a.caps.Idle.OK():
		return errors.New("batch work is not in the kernel's idle class, and would keep a moved thread waiting, too")
	}
	return nil
}
