package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"lull/client"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/folder"
	"lull/subjects/ledger"
	"lull/test/taskuser"
	"lull/test/unguarded"
)

func TestEachServiceInItsOwnProcess(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.service("admission", "admission")
	f.service("slotter", "slotter", "--policy", "edf")
	agent := f.agent("solo")
	f.says(agent, "connected to")
	c := f.client()
	folder := t.TempDir()
	want := corpus(t, folder)
	finished(t, c, submit(t, c, folder, wordcount))
	checkCounts(t, filepath.Join(folder, "out"), want)
	f.stop(agent)
	nothingLeft(t, f.host("solo"), filepath.Join(f.dir, "solo"))
}

// The maps are spread over two hosts with folders of their own, so each reduce
// reads from the other.
func TestAReduceFetchesFromTheOtherHost(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.service("admission", "admission")
	f.service("slotter", "slotter")
	f.agent("left", "--advertise", "127.0.0.1:"+port(t), "--labels", "side=left")
	f.agent("right", "--advertise", "127.0.0.1:"+port(t), "--labels", "side=right")
	says := func(name string) string {
		return "\n  - {name: " + name + ", tasks: 1, where: {side: " + name + "}, command: 'echo from " + name + " > $LULL_OUT/note'}"
	}
	c := f.client()
	f.hosts(c, 2)
	folder := t.TempDir()
	j := finished(t, c, submit(t, c, folder, `
name: across
output: out
stages:`+says("left")+says("right")+`
  - name: both
    from: [{stage: left}, {stage: right}]
    tasks: 1
    command: 'sort > $LULL_OUT/both'
`))
	if j.Totals.Failed != 0 {
		t.Errorf("totals = %+v, want no failure", j.Totals)
	}
	if got, want := all(results(t, filepath.Join(folder, "out"))), "from left\nfrom right\n"; got != want {
		t.Errorf("results = %q, want %q", got, want)
	}
}

// hosts waits until so many hosts have joined.
func (f *fleet) hosts(c *client.Client, n int) {
	f.t.Helper()
	reaches(f.t, c, fmt.Sprintf("%d hosts", n), func(s *ledger.State) bool { return len(s.Hosts()) >= n })
}

func TestServicesFollowAServerThatRestarts(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.service("admission", "admission")
	f.service("slotter", "slotter")
	agent := f.agent("solo", "--stay")
	c := f.client()
	folder := t.TempDir()
	gate := filepath.Join(folder, "open")
	job := submit(t, c, folder, `
name: patient
stages:
  - {name: a, tasks: 2, command: 'while [ ! -e `+gate+` ]; do sleep 0.02; done'}
`)
	when(t, c, job, func(j *ledger.Job) bool { return j.Held() > 0 })
	f.restartServer()
	write(t, gate, "")
	finished(t, c, job)
	finished(t, c, submit(t, c, folder, "name: next\nstages:\n  - {name: a, tasks: 3, command: [\"true\"]}\n"))
	f.stop(agent) // it has no task that could stay
	nothingLeft(t, f.host("solo"), filepath.Join(f.dir, "solo"))
}

func TestAServiceWaitsForItsServer(t *testing.T) {
	t.Parallel()
	f := emptyFleet(t)
	address := "127.0.0.1:" + port(t)
	f.url = "nats://" + address
	slotter := f.service("slotter", "slotter")
	f.says(slotter, "waiting for NATS")
	f.startServer(address)
	f.says(slotter, "connected to")
}

// A test does not wait for what a process that has failed would have done.
func TestAProcessThatFailsEndsTheWaits(t *testing.T) {
	t.Parallel()
	f := emptyFleet(t)
	p := f.start("agent", "agent", "--nonsense")
	ctx, cancel := patiently(t)
	defer cancel()
	<-ctx.Done()
	if err := context.Cause(ctx).Error(); !strings.Contains(err, "agent ended with exit code 2") || !strings.Contains(err, "unknown flag: --nonsense") {
		t.Errorf("cause = %q, want the exit code and what the agent said", err)
	}
	p.want.Store(exit.Usage)
}

// A task that ignores SIGTERM delays an orderly end. The next start finds what the second signal left
// behind.
func TestASecondSignalIsImmediate(t *testing.T) {
	f := emptyFleet(t)
	data, host := filepath.Join(f.dir, "data"), f.host("twice")
	up := slices.Concat([]string{"up", "--data", data, "--name", host, "--slots", "1"}, unguarded.Flags(), taskuser.Flags())
	first := f.start("first", up...)
	first.want.Store(exit.Interrupted)
	f.says(first, "lull is up")
	at, _ := folder.Find(data)
	f.url = at.URL
	c := f.clientWith(at.Token)
	job := submit(t, c, ".", `
name: stubborn
stages:
  - {name: a, tasks: 1, command: 'trap "" TERM; while :; do sleep 1; done'}
`)
	when(t, c, job, func(j *ledger.Job) bool { return j.Held() > 0 })
	f.signal(first, "stopping")
	f.insist(first)

	second := f.start("second", up...)
	f.says(second, "lull is up")
	f.stop(second)
	nothingLeft(t, host, data)
	if _, err := os.Stat(filepath.Join(data, "endpoint")); !os.IsNotExist(err) {
		t.Errorf("Stat(endpoint) after the end = %v, want no file", err)
	}
}

// insist sends SIGTERM again and again until the process has ended, because a signal soon after the first
// counts as the same. The process may also end in order before the second signal counts.
func (f *fleet) insist(p *process) {
	f.t.Helper()
	deadline := time.After(patience)
	for again := time.Tick(100 * time.Millisecond); ; {
		select {
		case <-deadline:
			f.t.Fatalf("%s still runs %v after repeated SIGTERM, want its end", p.name, patience)
		case <-again:
			_ = p.Process.Signal(syscall.SIGTERM) // it may have ended now
		case <-p.done:
			if p.ProcessState.ExitCode() == 0 {
				p.want.Store(0)
			}
			return
		}
	}
}

// signal sends SIGTERM and waits until the process prints that it received it.
func (f *fleet) signal(p *process, heard string) {
	f.t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		f.t.Fatal(err)
	}
	f.says(p, heard)
}
