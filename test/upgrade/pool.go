package upgrade

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Pool is a pool of real processes. Each may run another binary, so that versions can be mixed.
type Pool struct {
	Dir     string
	Host    string // prefix of the names of its hosts
	address string
	running map[string]*process
}

type process struct {
	*exec.Cmd
	done chan struct{} // closed when it has ended
}

// token is the token with which processes connect to the server.
const token = "upgrade"

// patience bounds the wait for the end of a process or command.
const patience = 5 * time.Minute

// NewPool makes an empty pool in a folder.
func NewPool(dir string) (*Pool, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close() //nolint:errcheck // only the port is needed
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	return &Pool{Dir: dir, Host: "upgrade-" + port, address: address, running: map[string]*process{}}, nil
}

// URL is the server's address.
func (p *Pool) URL() string { return "nats://" + p.address }

// Start starts a process. The part of name before the first dash is the subcommand that the binary runs:
// server, admission, slotter or agent. Its output goes to the file name.log.
func (p *Pool) Start(name, binary string, more ...string) error {
	kind, _, _ := strings.Cut(name, "-")
	args := []string{kind}
	switch kind {
	case "server":
		args = append(args, "--listen", p.address)
	case "agent":
		args = append(args, "--name", p.Host+strings.TrimPrefix(name, "agent"), "--slots", "2", "--guard-budget", "0")
	}
	log, err := os.OpenFile(filepath.Join(p.Dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // the process has its own
	cmd := exec.Command(binary, append(args, more...)...)
	cmd.Stdout, cmd.Stderr, cmd.Env = log, log, p.env(name)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	one := &process{cmd, make(chan struct{})}
	go func() { _ = cmd.Wait(); close(one.done) }() // Stop checks the exit code
	p.running[name] = one
	return nil
}

// env returns the environment of a process, with the server's address, the token and the data folder.
// Every version reads these from the environment; some refuse a secret in the arguments.
func (p *Pool) env(name string) []string {
	return append(os.Environ(), "LULL_TOKEN="+token, "LULL_NATS="+p.URL(), "LULL_DATA="+filepath.Join(p.Dir, name))
}

// Kill kills a process and waits for its end.
func (p *Pool) Kill(name string) {
	one := p.running[name]
	_ = one.Process.Kill()
	<-one.done
	delete(p.running, name)
}

// Stop ends a process with SIGTERM. The error says if it did not end in time, or failed.
func (p *Pool) Stop(name string) error {
	one := p.running[name]
	delete(p.running, name)
	_ = one.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-one.done:
	case <-time.After(patience):
		_ = one.Process.Kill()
		<-one.done
		return fmt.Errorf("%s still runs %v after SIGTERM, want its end", name, patience)
	}
	if code := one.ProcessState.ExitCode(); code != 0 {
		said, _ := os.ReadFile(filepath.Join(p.Dir, name+".log"))
		return fmt.Errorf("%s ended with exit code %d, want 0; its log:\n%s", name, code, said[max(0, len(said)-4000):])
	}
	return nil
}

// Close stops all processes that still run, agents first and the server last.
func (p *Pool) Close() error {
	var errs []error
	for _, kind := range []string{"agent", "slotter", "admission", "server"} {
		for name := range p.running {
			if strings.HasPrefix(name, kind) {
				errs = append(errs, p.Stop(name))
			}
		}
	}
	return errors.Join(errs...)
}

// Lull runs a command of a binary and returns what it prints.
func (p *Pool) Lull(binary string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr, cmd.Env, cmd.Dir = &out, &said, p.env("client"), p.Dir
	if err := cmd.Run(); err != nil {
		return strings.TrimSpace(out.String()), fmt.Errorf("lull %s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	return strings.TrimSpace(out.String()), nil
}
