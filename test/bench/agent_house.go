package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream"
	"lull/cmd/lull/client"
	"lull/cmd/lull/serve"
	"lull/cmd/lull/serve/folder"
	"lull/subjects"
	"lull/subjects/spec"
)

// house is a pool whose parts are processes of their own, so that an agent's
// cost is no other's, and a primary.
type house struct {
	stage    *stage // the primary, and the programs
	binary   string
	endpoint folder.Endpoint
	client   *client.Client
	rest     []*exec.Cmd // the server, and those who decide
	agent    *exec.Cmd   // nil while there is none
	log      *lines      // takes what agents log, nil for stderr
	started  int         // agents so far
}

func openHouse(ctx context.Context, binary string) (h *house, err error) {
	h = &house{}
	if h.stage, err = openStage(ctx, &interfering{primary: "go"}); err != nil {
		return h, err
	}
	if binary == "" {
		h.binary, err = build(ctx, h.stage.dir)
	} else {
		h.binary, err = filepath.Abs(binary)
	}
	if err != nil {
		return h, err
	}
	// Who tasks run as must be able to enter.
	if err := os.Chmod(h.stage.dir, 0o755); err != nil {
		return h, err
	}
	return h, h.serve(ctx)
}

// serve starts the server and those who decide.
func (h *house) serve(ctx context.Context) error {
	data := filepath.Join(h.stage.dir, "server")
	if err := h.begin("server", "--data", data, "--listen", "127.0.0.1:0"); err != nil {
		return err
	}
	var ok bool
	if err := until(ctx, "the server answers", func() (bool, error) {
		h.endpoint, ok = serve.Attach(data)
		return ok, nil
	}); err != nil {
		return err
	}
	if err := h.begin("admission", h.server()...); err != nil {
		return err
	}
	// By fifo, no slot stays empty for the pool's sake.
	if err := h.begin("slotter", append(h.server(), "--policy", "fifo")...); err != nil {
		return err
	}
	return h.connect(ctx)
}

// connect waits for the pool, which the services make.
func (h *house) connect(ctx context.Context) error {
	return until(ctx, "the pool is there", func() (bool, error) {
		conn, err := nats.Connect(h.endpoint.URL, nats.Token(h.endpoint.Token))
		if err != nil {
			return false, err
		}
		h.client, err = client.Open(ctx, conn, subjects.DefaultPool)
		if errors.Is(err, jetstream.ErrNoPool) {
			return false, nil
		}
		return true, err
	})
}

// server is how the others find it.
func (h *house) server() []string {
	return []string{"--nats", h.endpoint.URL}
}

func (h *house) begin(name string, flags ...string) error {
	cmd, err := h.launch(name, flags...)
	if err == nil {
		h.rest = append(h.rest, cmd)
	}
	return err
}

func (h *house) launch(name string, flags ...string) (*exec.Cmd, error) {
	cmd := exec.Command(h.binary, append([]string{name, "--log-level", "warn"}, flags...)...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.Env = append(os.Environ(), "LULL_TOKEN="+h.endpoint.Token)
	if h.log != nil && name == "agent" {
		cmd.Stderr = h.log
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C reaches the bench alone
	return cmd, cmd.Start()
}

// startAgent starts the agent on a folder that stays, so that it adopts what an
// earlier one left.
func (h *house) startAgent(slots int, flags ...string) (err error) {
	flags = append(flags, h.server()...)
	h.agent, err = h.launch("agent", append(flags, "--name", "bench-agent", "--slots", strconv.Itoa(slots),
		"--data", filepath.Join(h.stage.dir, "agent"), "--primary", h.stage.batch["primary"])...)
	h.started++
	return err
}

// stopAgent stops it; the tasks stay.
func (h *house) stopAgent() error {
	if h.agent == nil {
		return nil
	}
	cmd := h.agent
	h.agent = nil
	return end(cmd)
}

// submit hands a job of tasks that compute over, and waits until all run.
func (h *house) submit(ctx context.Context, tasks int) (*job, error) {
	j := &job{in: &instance{Client: h.client}, groups: h.stage.groups, flag: h.stage.nextFlag()}
	doc := &spec.Doc{Name: "pi", Stages: []spec.DocStage{{
		Name: "task", Command: []string{h.stage.batchBinary, "batch", "pi", j.flag}, Memory: 32 << 20, Tasks: uint32(tasks),
	}}}
	var err error
	if j.id, err = h.client.Submit(ctx, doc, client.NewID()); err != nil {
		return nil, err
	}
	return j, until(ctx, "all tasks run", func() (bool, error) {
		pids, err := runners(h.stage.batchBinary)
		return len(pids) >= tasks, err
	})
}

// loaded calls f while the primary has requests.
func (h *house) loaded(ctx context.Context, rate float64, f func() error) error {
	over, idle := make(chan struct{}), make(chan error, 1)
	go func() {
		for seed := uint64(1); ; seed++ {
			_, err := h.stage.tenant.fulfil(ctx, order{Seed: seed, Phases: []phase{{Rate: rate, Seconds: 1}}})
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

// until tries again, for as long as a process may take to start.
func until(ctx context.Context, what string, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if err := wait(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("until %s: %w", what, err)
		}
	}
}

// end stops a process in order.
func end(cmd *exec.Cmd) error {
	_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended, which Wait tells
	return cmd.Wait()
}

// close ends all of it. Shims outlive their agents, and tasks of a run that failed
// are nobody's to end any more.
func (h *house) close() (err error) {
	err = errors.Join(h.stopAgent(), h.killLeft())
	if h.client != nil {
		h.client.Close()
	}
	for i := len(h.rest) - 1; i >= 0; i-- {
		err = errors.Join(err, end(h.rest[i]))
	}
	if h.stage != nil {
		err = errors.Join(err, h.stage.close())
	}
	return err
}

// killLeft ends the shims that were left, and what they ran.
func (h *house) killLeft() error {
	if h.stage == nil || h.stage.batchBinary == "" {
		return nil
	}
	shims, err := asides(h.binary, "shim", h.stage.dir)
	tasks, err2 := runners(h.stage.batchBinary)
	err = errors.Join(err, err2)
	for _, pid := range append(shims, tasks...) {
		if e := syscall.Kill(pid, syscall.SIGKILL); e != nil && !errors.Is(e, syscall.ESRCH) {
			err = errors.Join(err, fmt.Errorf("kill process %d, which was left: %w", pid, e))
		}
	}
	return err
}
