package stage

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// Tenant is the primary: a server, and its simulated users. The users' CPU counts as the primary's,
// since on this machine it must run somewhere.
type Tenant struct {
	server, users *exec.Cmd
	hold          io.Closer // the server's standard input: closing it ends the server
	orders        *json.Encoder
	closeOrders   io.Closer
	results       *json.Decoder
}

// Order is what `tenant load` reads: requests to send, phase after phase.
type Order struct {
	Seed   uint64  `json:"seed"` // of the arrivals
	Phases []Phase `json:"phases"`
}

// Phase is a time with so many requests a second.
type Phase struct {
	Rate    float64 `json:"rate"`
	Seconds float64 `json:"seconds"`
}

// Outcome is what `tenant load` answers. Times are in ns. A request is due at a time since the order began,
// and took counts from then to its answer.
type Outcome struct {
	Due  []int64 `json:"due"`
	Took []int64 `json:"took"`
	Lost int     `json:"lost"` // requests without an answer
	Late int64   `json:"late"` // median delay of sending them
}

func (s *Stage) startTenant(ctx context.Context, kind string) (*Tenant, error) {
	t := &Tenant{}
	address, err := t.serve(s.binary, s.Batch["primary"], kind)
	if err != nil {
		return t, fmt.Errorf("start the primary: %w", err)
	}
	if err := t.load(s.binary, s.Batch["primary"], address); err != nil {
		return t, fmt.Errorf("start the primary's users: %w", err)
	}
	return t, ctx.Err()
}

func (t *Tenant) serve(binary, group, kind string) (address string, err error) {
	t.server = exec.Command(binary, "-join", group, "serve", "-kind", kind)
	t.server.Stderr = os.Stderr
	t.server.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if t.hold, err = t.server.StdinPipe(); err != nil {
		return "", err
	}
	out, err := t.server.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := t.server.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(line), err
}

func (t *Tenant) load(binary, group, address string) error {
	t.users = exec.Command(binary, "-join", group, "-nice", "-10", "load", address)
	t.users.Stderr = os.Stderr
	t.users.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := t.users.StdinPipe()
	if err != nil {
		return err
	}
	out, err := t.users.StdoutPipe()
	if err != nil {
		return err
	}
	t.closeOrders, t.orders, t.results = in, json.NewEncoder(in), json.NewDecoder(out)
	return t.users.Start()
}

// Run gives an order and waits for its outcome.
func (t *Tenant) Run(ctx context.Context, o Order) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var r Outcome
	if err := errors.Join(t.orders.Encode(o), t.results.Decode(&r)); err != nil {
		return nil, fmt.Errorf("the primary's users are gone: %w", err)
	}
	return &r, nil
}

// PIDs are the processes of the server and of its users.
func (t *Tenant) PIDs() (server, users int) { return t.server.Process.Pid, t.users.Process.Pid }

// stop ends the server and the users, by closing their standard input.
func (t *Tenant) stop() {
	for _, input := range []io.Closer{t.closeOrders, t.hold} {
		if input != nil {
			_ = input.Close()
		}
	}
	for _, cmd := range []*exec.Cmd{t.users, t.server} {
		if cmd != nil && cmd.Process != nil {
			_ = cmd.Wait() // how it ends is not measured
		}
	}
}
