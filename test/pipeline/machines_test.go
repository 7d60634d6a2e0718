package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lull/subjects/ledger"
)

// switched is a network of machines: namespaces, each with a cable to one
// bridge, at addresses that are kept for documentation.
type switched struct {
	t      *testing.T
	bridge string
}

const network = "198.51.100."

func newSwitched(t *testing.T) *switched {
	t.Helper()
	for _, tool := range []string{"ip", "nsenter"} {
		if _, err := exec.LookPath(tool); err != nil || os.Geteuid() != 0 {
			t.Skip("needs root, ip and nsenter")
		}
	}
	sweep()
	s := &switched{t, fmt.Sprintf("llb%d", os.Getpid())}
	if err := ip("link", "add", s.bridge, "type", "bridge"); err != nil {
		t.Skip("needs the right to make networks: ", err)
	}
	t.Cleanup(func() { s.ip("link", "del", s.bridge) })
	s.ip("addr", "add", network+"1/24", "dev", s.bridge)
	s.ip("link", "set", s.bridge, "up")
	return s
}

// sweep removes the networks of runs that were killed, because the next run uses the same addresses.
func sweep() {
	left, _ := filepath.Glob("/run/netns/lull-test-*")
	for _, path := range left {
		if dead(strings.TrimPrefix(filepath.Base(path), "lull-test-")) {
			_ = ip("netns", "del", filepath.Base(path))
		}
	}
	bridges, _ := filepath.Glob("/sys/class/net/llb*")
	for _, path := range bridges {
		if dead(strings.TrimPrefix(filepath.Base(path), "llb")) {
			_ = ip("link", "del", filepath.Base(path))
		}
	}
}

// dead reports whether there is no process of the number with which a name begins.
func dead(name string) bool {
	pid, _, _ := strings.Cut(name, "-")
	_, err := os.Stat("/proc/" + pid)
	return errors.Is(err, fs.ErrNotExist)
}

func ip(args ...string) error {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %v: %w: %s", args, err, out)
	}
	return nil
}

func (s *switched) ip(args ...string) {
	s.t.Helper()
	if err := ip(args...); err != nil {
		s.t.Error(err)
	}
}

// machine is a namespace with an address.
type machine struct {
	*switched
	name, cable, address string
}

func (s *switched) machine(n int) machine {
	s.t.Helper()
	id := fmt.Sprintf("%d-%d", os.Getpid(), n)
	m := machine{s, "lull-test-" + id, "ll" + id, fmt.Sprint(network, n)}
	s.ip("netns", "add", m.name)
	s.t.Cleanup(func() { s.ip("netns", "del", m.name) }) // its cable goes with it
	s.ip("link", "add", m.cable, "type", "veth", "peer", "name", "eth0", "netns", m.name)
	s.ip("link", "set", m.cable, "master", s.bridge, "up")
	s.ip("-n", m.name, "addr", "add", m.address+"/24", "dev", "eth0")
	s.ip("-n", m.name, "link", "set", "eth0", "up")
	s.ip("-n", m.name, "link", "set", "lo", "up")
	return m
}

// plug sets the machine's cable "up" or "down".
func (m machine) plug(state string) { m.t.Helper(); m.ip("link", "set", m.cable, state) }

// on starts an agent on the machine.
func (f *fleet) on(m machine, name string) {
	f.t.Helper()
	f.within = []string{"nsenter", "--net=/run/netns/" + m.name}
	defer func() { f.within = nil }()
	f.agent(name, "--slots", "2", "--reserve-cpu", "0", "--advertise", m.address+":7000", "--labels", "side="+name)
}

// The cable of one of two machines is pulled midway. Its outputs are made again on the other, and
// its tasks run there. When it is back it drops outputs that are no longer needed.
func TestAMachineIsCutOffAndComesBack(t *testing.T) {
	s := newSwitched(t)
	f := emptyFleet(t)
	left, right := s.machine(2), s.machine(3)
	f.startServer(network + "1:0")
	f.service("admission", "admission")
	f.service("slotter", "slotter", "--silence", "3s")
	c := f.client()
	folder := t.TempDir()

	f.on(left, "left")
	f.hosts(c, 1)
	stale := submit(t, c, folder, `
name: stale
stages:
  - {name: a, tasks: 1, dir: ., command: 'mkdir first 2>/dev/null && exec sleep 300; echo done'}
`)
	when(t, c, stale, func(j *ledger.Job) bool { return j.Held() == 1 })
	f.eventually("it to run", func() bool { return exists(folder, "first") })
	f.on(right, "right")
	f.hosts(c, 2)
	// Each of three maps waits for the others: with three slots free, both
	// machines make some. The reduce comes after the gate.
	job := submit(t, c, folder, `
name: across
output: out
stages:
  - name: map
    tasks: 3
    dir: .
    command: >-
      touch came-$LULL_TASK; while [ ! -e came-0 ] || [ ! -e came-1 ] || [ ! -e came-2 ]; do sleep 0.02; done;
      echo $LULL_TASK > $LULL_OUT/part-0
  - {name: gate, tasks: 1, after: map, dir: ., where: {side: right}, command: 'touch at-gate; while [ ! -e open ]; do sleep 0.02; done'}
  - {name: reduce, from: {stage: map, by: partition}, after: gate, tasks: 1, where: {side: right}, command: 'sort > $LULL_OUT/all'}
`)
	f.eventually("the maps to be done", func() bool { return exists(folder, "at-gate") })

	left.plug("down")
	reaches(t, c, "the host to be lost", func(s *ledger.State) bool { return s.Host(f.host("left")).Lost })
	again := when(t, c, job, func(j *ledger.Job) bool { return j.Totals.Attempts > 4 && j.Stages[0].Complete() })
	finished(t, c, stale)
	write(t, filepath.Join(folder, "open"), "")
	finished(t, c, job)
	if got := all(results(t, filepath.Join(folder, "out"))); got != "0\n1\n2\n" {
		t.Errorf("results = %q, want the lines 0, 1 and 2; totals after the cut = %+v", got, again.Totals)
	}

	left.plug("up")
	reaches(t, c, "the host to be back and rid of old work", func(s *ledger.State) bool {
		h := s.Host(f.host("left"))
		return h.Open() && len(h.Attempts()) == 0
	})
}

func exists(folder, name string) bool {
	_, err := os.Stat(filepath.Join(folder, name))
	return err == nil
}
