package stage

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"lull/test/bench/live/host"
)

// Processes are batch work that the benchmark runs by itself.
type Processes struct {
	cmds []*exec.Cmd
	flag string // the file that ends them
}

// Launch starts so many copies of a kind of batch work, with flags that say
// where they run. In the root group each session is a group of its own.
func (s *Stage) Launch(kind string, copies int, where ...string) (Batch, error) {
	p := &Processes{flag: s.NextFlag()}
	for range copies {
		cmd := exec.Command(s.BatchBinary, slices.Concat(where, []string{"batch", kind, p.flag})...)
		cmd.Stderr = os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return nil, errors.Join(err, p.Stop())
		}
		p.cmds = append(p.cmds, cmd)
	}
	return p, nil
}

// CPU is what they used with all their children that have ended.
func (p *Processes) CPU() (sum float64, err error) {
	for _, cmd := range p.cmds {
		used, err := host.FamilyTime(cmd.Process.Pid)
		if err != nil {
			return 0, fmt.Errorf("batch work is gone: %w", err)
		}
		sum += used.Seconds()
	}
	return sum, nil
}

// Stop asks them to end, and kills those that do not.
func (p *Processes) Stop() error {
	err := os.WriteFile(p.flag, nil, 0o644)
	timer := time.AfterFunc(host.Patience, p.kill)
	defer timer.Stop()
	for _, cmd := range p.cmds {
		if e := cmd.Wait(); e != nil {
			err = errors.Join(err, fmt.Errorf("batch work: %w", e))
		}
	}
	return err
}

func (p *Processes) kill() {
	for _, cmd := range p.cmds {
		_ = cmd.Process.Kill() // one that has ended needs none
	}
}
