package wired

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"lull/actors/jetstream/connect"
	"lull/client"
	"lull/cmd/lull/serve/folder"
	"lull/subjects"
	"lull/test/bench/live/host"
	"lull/test/poll"
	"lull/test/taskuser"
)

// fleet is the pool's processes.
type fleet struct {
	dir    string
	binary string
	stat   string // a copy of /proc/stat
	url    string
	all    []*process // in the order in which they began
	*client.Client
}

// process is one of them. It ends with this one.
type process struct {
	*exec.Cmd
	name string
	log  *os.File
	done chan struct{} // closed when it has ended
}

const (
	token    = "live"
	patience = 30 * time.Second
	slots    = 2 // of a host
)

// startFleet starts server, services and an agent in each host's namespace.
func startFleet(ctx context.Context, dir, binary string, n *network) (f *fleet, err error) {
	f = &fleet{dir: dir, binary: binary, stat: filepath.Join(dir, "stat")}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.stop())
		}
	}()
	if err = errors.Join(freeze(f.stat), f.server(ctx)); err != nil {
		return f, err
	}
	for _, service := range []string{"admission", "slotter", "placer"} {
		if _, err = f.launch(service, nil, service, "--nats", f.url); err != nil {
			return f, err
		}
	}
	for rack := range uplinks {
		for i := range perRack {
			if err = f.agent(n, rack, rack*perRack+i); err != nil {
				return f, err
			}
		}
	}
	return f, f.connect(ctx)
}

// freeze copies /proc/stat.
func freeze(path string) error {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func (f *fleet) server(ctx context.Context) error {
	data := filepath.Join(f.dir, "server")
	p, err := f.launch("server", nil, "server", "--data", data, "--listen", subnet+"1:0")
	if err != nil {
		return err
	}
	if !poll.Until(patience, 20*time.Millisecond, func() bool {
		at, ok := folder.Find(data)
		f.url = at.URL
		return ctx.Err() != nil || ok && at.PID == p.Process.Pid
	}) {
		return fmt.Errorf("the server did not start: see %s", p.log.Name())
	}
	return context.Cause(ctx)
}

// agent starts a host's agent. All hosts share this machine's cores, which would make each the primary of the
// others. So each sees an idle machine, as /proc/stat was when the pool began, and no cgroups, in which the kernel
// allows no real-time priority: see urgent.
func (f *fleet) agent(n *network, rack, h int) error {
	speed := "fast"
	if uplinks[rack] < uplinks[1] {
		speed = "slow"
	}
	args := append([]string{
		"agent", "--nats", f.url, "--name", hostName(h), "--data", filepath.Join(f.dir, hostName(h)),
		"--slots", fmt.Sprint(slots), "--reserve-cpu", "0", "--reserve-memory", "0", "--stay=false", "--guard-budget", "0", "--spread", "off",
		"--contain", "off", "--probe",
		"--advertise", address(h) + ":7000", "--labels", "rack=" + rackName(rack) + ",uplink=" + speed,
	}, taskuser.Flags()...)
	_, err := f.launch(hostName(h), []string{"nsenter", "--net=/run/netns/" + n.host(h), "unshare", "--mount", "sh", "-c", `mount --bind "$0" /proc/stat && umount -R /sys/fs/cgroup && exec "$@"`, f.stat}, args...)
	return err
}

func hostName(h int) string { return fmt.Sprintf("live-%02d", h) }

// launch starts a process, within another command if one is given.
func (f *fleet) launch(name string, within []string, args ...string) (*process, error) {
	log, err := os.Create(filepath.Join(f.dir, name+".log"))
	if err != nil {
		return nil, err
	}
	line := slices.Concat(within, urgent, []string{f.binary}, args)
	p := &process{Cmd: exec.Command(line[0], line[1:]...), name: name, log: log, done: make(chan struct{})}
	p.Env = append(os.Environ(), "LULL_TOKEN="+token)
	p.Stdout, p.Stderr = log, log
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := p.Start(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	f.all = append(f.all, p)
	go func() {
		_ = p.Wait() // what it printed says why
		close(p.done)
	}()
	return p, nil
}

// connect waits until all hosts have joined.
func (f *fleet) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the pool did not come up"))
	defer cancel()
	for {
		nc, err := connect.Dial(f.url, "papers", token)
		if err != nil {
			return err
		}
		if f.Client, err = client.Open(ctx, nc, subjects.DefaultPool); err == nil {
			break
		}
		nc.Close()
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
	view, err := f.View(ctx)
	if err != nil {
		return err
	}
	return view.Until(ctx, func() bool { return len(view.State.Hosts()) == len(uplinks)*perRack })
}

// cpu is what the pool's processes used so far, tasks aside.
func (f *fleet) cpu() (sum time.Duration) {
	for _, p := range f.all {
		used, err := host.CPUTime(p.Process.Pid)
		if err == nil {
			sum += used
		}
	}
	return sum
}

// stop ends the processes, the agents first, and waits for them.
func (f *fleet) stop() (err error) {
	if f.Client != nil {
		f.Close()
	}
	for len(f.all) > 0 {
		first := max(len(f.all)-perRack, 0)
		if len(f.all) <= 4 {
			first = len(f.all) - 1
		}
		for _, p := range f.all[first:] {
			_ = p.Process.Signal(syscall.SIGTERM) // it may have ended
		}
		for _, p := range f.all[first:] {
			select {
			case <-p.done:
			case <-time.After(patience):
				_ = p.Process.Kill()
				<-p.done
				err = errors.Join(err, fmt.Errorf("%s did not stop within %v", p.name, patience))
			}
			err = errors.Join(err, p.log.Close())
		}
		f.all = f.all[:first]
	}
	return err
}
