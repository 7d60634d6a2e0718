package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// processes are batch work that the benchmark runs by itself.
type processes struct {
	cmds []*exec.Cmd
	flag string // the file that ends them
}

// launch starts so many copies of a kind of batch work, with flags that say
// where they run. In the root group each session is a group of its own.
func (s *stage) launch(kind string, copies int, where ...string) (beside, error) {
	p := &processes{flag: s.nextFlag()}
	for range copies {
		cmd := exec.Command(s.batchBinary, slices.Concat(where, []string{"batch", kind, p.flag})...)
		cmd.Stderr = os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return nil, errors.Join(err, p.stop())
		}
		p.cmds = append(p.cmds, cmd)
	}
	return p, nil
}

// cpu is what they used with all their children that have ended.
func (p *processes) cpu() (sum float64, err error) {
	for _, cmd := range p.cmds {
		used, err := familyTime(cmd.Process.Pid)
		if err != nil {
			return 0, fmt.Errorf("batch work is gone: %w", err)
		}
		sum += used.Seconds()
	}
	return sum, nil
}

// patience is how long batch work may take to see that it shall end. Beside a
// busy primary it hardly runs.
const patience = 20 * time.Second

func (p *processes) stop() error {
	err := os.WriteFile(p.flag, nil, 0o644)
	timer := time.AfterFunc(patience, p.kill)
	defer timer.Stop()
	for _, cmd := range p.cmds {
		if e := cmd.Wait(); e != nil {
			err = errors.Join(err, fmt.Errorf("batch work: %w", e))
		}
	}
	return err
}

func (p *processes) kill() {
	for _, cmd := range p.cmds {
		_ = cmd.Process.Kill() // one that has ended needs none
	}
}
