// Package spreading runs the process that moves waiting threads of the primary (package spread) to
// cores where batch work runs, and signals it when looking pays.
package spreading

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
)

// Mode says whether waiting threads of the primary are moved.
type Mode string

// The modes.
const (
	Auto Mode = "auto" // where the agent is root, and batch is in the idle class
	On   Mode = "on"   // anyhow; an agent that cannot does not start
	Off  Mode = "off"  // they stay where the kernel queues them
)

// ParseMode reads a mode; "" is auto.
func ParseMode(text string) (Mode, error) {
	switch mode := Mode(text); mode {
	case "":
		return Auto, nil
	case Auto, On, Off:
		return mode, nil
	}
	return "", fmt.Errorf("spread %q: use auto, on or off", text)
}

// Config says whether threads are moved, and how.
type Config struct {
	Mode    Mode
	Command Command // nil where nothing sees the primary's threads
	Note    string  // file of the move under way, and of the counts
	Idle    bool    // batch work is in the kernel's idle class
	Host    string

	Logger     *slog.Logger
	Registerer prometheus.Registerer
}

// Open undoes what an agent left that was killed in a move, and then prepares to move threads.
// It returns nil if that is not wanted or, with Auto, not possible.
func Open(cfg Config) (*Keeper, error) {
	mode, err := ParseMode(string(cfg.Mode))
	if err != nil {
		return nil, err
	}
	s := &Keeper{command: cfg.Command, note: cfg.Note, log: cfg.Logger, gate: gate{cores: float64(runtime.NumCPU())}}
	s.restore()
	if mode == Off {
		return nil, nil
	}
	missing := cfg.missing(mode)
	if missing == nil {
		missing = s.show(cfg.Registerer, cfg.Host)
	}
	switch {
	case missing == nil:
		return s, nil
	case mode == On:
		return nil, fmt.Errorf("spread the primary's threads: %w; leave out --spread on to run without it", missing)
	}
	cfg.Logger.Info("guard: the primary's threads stay where the kernel queues them", "error", missing)
	return nil, nil
}

// missing says what is missing for it.
func (c Config) missing(mode Mode) error {
	switch {
	case runtime.NumCPU() < 2:
		return errors.New("the host has one core only")
	case c.Command == nil:
		return errors.New("no sensor shows where they wait: that needs root and a kernel with eBPF, or the names of the primary's cgroups (--primary)")
	case mode == On:
		return nil
	case os.Geteuid() != 0:
		return errors.New("the agent is not root")
	case !c.Idle:
		return errors.New("batch work is not in the kernel's idle class, and would keep a moved thread waiting, too")
	}
	return nil
}
