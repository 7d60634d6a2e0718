// Package pool is lull as a pool of processes of their own, beside a primary.
package pool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream"
	"lull/client"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
	"lull/subjects"
	"lull/subjects/spec"
	"lull/test/bench/live/host"
	"lull/test/bench/live/stage"
)

// Pool is a pool with a process for each part, so that an agent's cost is measured alone, and a
// primary.
type Pool struct {
	Stage   *stage.Stage // the primary, and the programs
	Binary  string       // lull
	Client  *client.Client
	Log     io.Writer // takes what agents log, nil for stderr
	Started int       // agents so far

	endpoint folder.Endpoint
	rest     []*exec.Cmd // the server and the services
	agent    *exec.Cmd   // nil while there is none
}

// Open starts the parts of a pool but its agent. Without a binary it builds lull. The
// caller closes the pool, even after an error.
func Open(ctx context.Context, binary string) (p *Pool, err error) {
	p = &Pool{}
	if p.Stage, err = stage.Open(ctx, stage.Config{Primary: "go"}); err != nil {
		return p, err
	}
	if binary == "" {
		p.Binary, err = host.Build(ctx, p.Stage.Dir)
	} else {
		p.Binary, err = filepath.Abs(binary)
	}
	if err != nil {
		return p, err
	}
	// The tasks' user must be able to enter.
	if err := os.Chmod(p.Stage.Dir, 0o755); err != nil {
		return p, err
	}
	return p, p.serve(ctx)
}

// serve starts the server and the services.
func (p *Pool) serve(ctx context.Context) error {
	data := filepath.Join(p.Stage.Dir, "server")
	if err := p.begin("server", "--data", data, "--listen", "127.0.0.1:0"); err != nil {
		return err
	}
	var ok bool
	if err := host.Until(ctx, "the server answers", func() (bool, error) {
		p.endpoint, ok = local.Attach(data)
		return ok, nil
	}); err != nil {
		return err
	}
	if err := p.begin("admission", p.server()...); err != nil {
		return err
	}
	// With fifo no slot is left empty.
	if err := p.begin("slotter", append(p.server(), "--policy", "fifo")...); err != nil {
		return err
	}
	return p.connect(ctx)
}

// connect waits for the pool, which the services make.
func (p *Pool) connect(ctx context.Context) error {
	return host.Until(ctx, "the pool is there", func() (bool, error) {
		conn, err := nats.Connect(p.endpoint.URL, nats.Token(p.endpoint.Token))
		if err != nil {
			return false, err
		}
		p.Client, err = client.Open(ctx, conn, subjects.DefaultPool)
		if errors.Is(err, jetstream.ErrNoPool) {
			return false, nil
		}
		return true, err
	})
}

// server returns the flags by which other processes find the server.
func (p *Pool) server() []string {
	return []string{"--nats", p.endpoint.URL}
}

func (p *Pool) begin(name string, flags ...string) error {
	cmd, err := p.launch(name, flags...)
	if err == nil {
		p.rest = append(p.rest, cmd)
	}
	return err
}

func (p *Pool) launch(name string, flags ...string) (*exec.Cmd, error) {
	cmd := exec.Command(p.Binary, append([]string{name, "--log-level", "warn"}, flags...)...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.Env = append(os.Environ(), "LULL_TOKEN="+p.endpoint.Token)
	if p.Log != nil && name == "agent" {
		cmd.Stderr = p.Log
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C reaches the bench alone
	return cmd, cmd.Start()
}

// StartAgent starts the agent on a folder that stays, so that it adopts what an
// earlier one left.
func (p *Pool) StartAgent(slots int, flags ...string) (err error) {
	flags = append(flags, p.server()...)
	p.agent, err = p.launch("agent", append(flags, "--name", "bench-agent", "--slots", strconv.Itoa(slots),
		"--data", filepath.Join(p.Stage.Dir, "agent"), "--primary", p.Stage.Batch["primary"])...)
	p.Started++
	return err
}

// StopAgent stops it; the tasks stay.
func (p *Pool) StopAgent() error {
	if p.agent == nil {
		return nil
	}
	cmd := p.agent
	p.agent = nil
	return host.End(cmd)
}

// Submit submits a job of tasks that compute, and waits until all run.
func (p *Pool) Submit(ctx context.Context, tasks int) (*stage.Job, error) {
	j, err := p.Stage.Submit(ctx, p.Client, "pi", func(s *spec.DocStage) { s.Memory, s.Tasks = 32<<20, uint32(tasks) })
	if err != nil {
		return nil, err
	}
	return j, host.Until(ctx, "all tasks run", func() (bool, error) {
		pids, err := host.ProcessesOf(p.Stage.BatchBinary)
		return len(pids) >= tasks, err
	})
}

// Agent is the agent's process.
func (p *Pool) Agent() int { return p.agent.Process.Pid }

// Loaded calls f while the primary has requests.
func (p *Pool) Loaded(ctx context.Context, rate float64, f func() error) error {
	over, idle := make(chan struct{}), make(chan error, 1)
	go func() {
		for seed := uint64(1); ; seed++ {
			_, err := p.Stage.Tenant.Run(ctx, stage.Order{Seed: seed, Phases: []stage.Phase{{Rate: rate, Seconds: 1}}})
			select {
			case <-over:
				idle <- err
				return
			default:
			}
			if err != nil {
				<-over
				idle <- err
				return
			}
		}
	}()
	err := f()
	close(over)
	return errors.Join(err, <-idle)
}

// Close ends all of it. Shims outlive their agents, and nothing else would end the tasks of a
// failed run.
func (p *Pool) Close() (err error) {
	err = errors.Join(p.StopAgent(), p.killLeft())
	if p.Client != nil {
		p.Client.Close()
	}
	for i := len(p.rest) - 1; i >= 0; i-- {
		err = errors.Join(err, host.End(p.rest[i]))
	}
	if p.Stage != nil {
		err = errors.Join(err, p.Stage.Close())
	}
	return err
}

// killLeft ends the shims that were left, and what they ran.
func (p *Pool) killLeft() error {
	if p.Stage == nil || p.Stage.BatchBinary == "" {
		return nil
	}
	shims, err := host.Helpers(p.Binary, "shim", p.Stage.Dir)
	tasks, err2 := host.ProcessesOf(p.Stage.BatchBinary)
	err = errors.Join(err, err2)
	for _, pid := range append(shims, tasks...) {
		if e := syscall.Kill(pid, syscall.SIGKILL); e != nil && !errors.Is(e, syscall.ESRCH) {
			err = errors.Join(err, fmt.Errorf("kill process %d, which was left: %w", pid, e))
		}
	}
	return err
}
