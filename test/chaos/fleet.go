package chaos

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"lull/cmd/lull/serve/local"
	"lull/test/taskuser"
	"lull/test/unguarded"
)

// token is the server's token, which the fleet's processes use.
const token = "chaos"

// fleet is a running lull: real processes of the real binary.
type fleet struct {
	binary, dir string
	port        int
	host        string // unique, so that its cgroups are known
	running     map[string]*exec.Cmd
	flags       map[string][]string // further ones, by kind of process
}

func newFleet(binary, dir string) (*fleet, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	host := fmt.Sprintf("chaos-%d", port)
	return &fleet{binary: binary, dir: dir, port: port, host: host, running: map[string]*exec.Cmd{}}, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close() //nolint:errcheck // only its port was wanted
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (f *fleet) data(kind string) string { return filepath.Join(f.dir, kind) }
func (f *fleet) listen() string          { return fmt.Sprintf("127.0.0.1:%d", f.port) }
func (f *fleet) url() string             { return fmt.Sprintf("nats://%s@%s", token, f.listen()) }

// endpoint returns where a client finds the server now. If all services are in one process, it changes with
// every start.
func (f *fleet) endpoint() string {
	if e, ok := local.Attach(f.data("up")); ok {
		return strings.Replace(e.URL, "://", "://"+e.Token+"@", 1)
	}
	return f.url()
}

// args are the command line of a process, by its name in the script.
func (f *fleet) args(name string) []string {
	kind, _, _ := strings.Cut(name, "-")
	switch kind {
	case "up":
		return slices.Concat([]string{"up", "--data", f.data(kind), "--name", f.host, "--labels", "rack=r1"}, unguarded.Flags(), taskuser.Flags())
	case "server":
		return []string{"server", "--data", f.data(kind), "--listen", f.listen()}
	case "agent":
		args := []string{"agent", "--data", f.data(name), "--name", f.hostOf(name), "--labels", "rack=" + rackOf(name), "--stay=false"}
		return slices.Concat(args, unguarded.Flags(), taskuser.Flags())
	}
	return append([]string{kind}, f.flags[kind]...)
}

// hostOf is the host of an agent's process: agent, or agent-1 and so on.
func (f *fleet) hostOf(name string) string { return f.host + strings.TrimPrefix(name, "agent") }

// rackOf is the rack of an agent's host: one each.
func rackOf(name string) string {
	if n, ok := strings.CutPrefix(name, "agent-"); ok {
		return "r" + n
	}
	return "r1"
}

// start runs a process; what it prints goes to a file of its name.
func (f *fleet) start(name string) error {
	log, err := os.OpenFile(filepath.Join(f.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // the process has its own
	cmd := exec.Command(f.binary, f.args(name)...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), "LULL_CHAOS="+f.dir, "LULL_TOKEN="+token, "LULL_NATS="+f.url())
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	f.running[name] = cmd
	return nil
}

// kill ends a process by SIGKILL, as a power cut would.
func (f *fleet) kill(name string) {
	cmd := f.running[name]
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // its exit status says only that it was killed
	delete(f.running, name)
}

// stop ends every process in order, the last started first, and reports those
// that did not end well or in time.
func (f *fleet) stop(layout []string) error {
	var wrong []string
	for i := len(layout) - 1; i >= 0; i-- {
		cmd := f.running[layout[i]]
		if cmd == nil {
			continue
		}
		_ = cmd.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(15*time.Second, func() { _ = cmd.Process.Kill() })
		if err := cmd.Wait(); err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", layout[i], err))
		}
		timer.Stop()
		delete(f.running, layout[i])
	}
	if len(wrong) > 0 {
		return fmt.Errorf("not all processes ended well: %s", strings.Join(wrong, "; "))
	}
	return nil
}

// leftovers lists what remains of the fleet after a while: shims, tasks and cgroups that should
// have ended. A shim with an order to quit takes a moment.
func (f *fleet) leftovers(ctx context.Context) []string {
	for range 100 {
		if left := append(f.processes(), f.cgroups()...); len(left) == 0 {
			return nil
		}
		if wait(ctx, pause) != nil {
			break
		}
	}
	return append(f.processes(), f.cgroups()...)
}

// processes carry the fleet's mark in their environment or its folder in their
// arguments.
func (f *fleet) processes() []string {
	var left []string
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, proc := range procs {
		args, _ := os.ReadFile(filepath.Join(proc, "cmdline"))
		env, _ := os.ReadFile(filepath.Join(proc, "environ"))
		if strings.Contains(string(args)+string(env), f.dir) {
			left = append(left, filepath.Base(proc)+" "+strings.ReplaceAll(string(args), "\x00", " "))
		}
	}
	return left
}

// cgroups lists those of the fleet's host, by prefix, in any hierarchy of either version.
func (f *fleet) cgroups() []string {
	v2, _ := filepath.Glob("/sys/fs/cgroup/lull/" + f.host + "*")
	v1, _ := filepath.Glob("/sys/fs/cgroup/*/lull/" + f.host + "*")
	return append(v2, v1...)
}
