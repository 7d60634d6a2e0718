package inputs

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lull/hostctl/actor"
	"lull/subjects"
	"lull/subjects/manifest"
	"lull/subjects/spec"
	"lull/subjects/turns"
)

// network is a pool of hosts that keep outputs of one file each. It counts the requests that are
// under way, and answers when it is let.
type network struct {
	answer subjects.OutputsAnswer
	body   string
	gate   chan struct{} // closed when requests are answered; nil for at once
	busy   func()        // called before each answer, nil for nothing

	mu    sync.Mutex
	open  int
	files []string // hosts that were asked for files, in order
}

// newNetwork has hosts with so many outputs each, of tasks that ran on them in turn.
func newNetwork(hosts, each int) *network {
	n := &network{body: "what a task wrote"}
	sum := sha256.Sum256([]byte(n.body))
	m := manifest.Manifest{Files: []manifest.File{{Path: "out", Size: int64(len(n.body)), Mode: 0o644, Sum: sum[:]}}}
	_, digest, _ := m.Encode()
	for i := range hosts {
		name := fmt.Sprintf("host-%d", i)
		n.answer.Hosts = append(n.answer.Hosts, subjects.OutputHost{Host: name, URL: "http://" + name, Token: "t", Rack: fmt.Sprintf("rack-%d", i%2)})
	}
	for i := range hosts * each {
		n.answer.Outputs = append(n.answer.Outputs, subjects.Output{Task: uint32(i), Attempt: uint64(i + 1), Host: uint32(i % hosts), Manifest: digest})
	}
	return n
}

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	isFile := strings.Contains(r.URL.Path, "/files/")
	n.mu.Lock()
	n.open++
	if isFile {
		n.files = append(n.files, r.URL.Host)
	}
	n.mu.Unlock()
	if n.gate != nil {
		<-n.gate
	}
	if n.busy != nil {
		n.busy()
	}
	w := httptest.NewRecorder()
	if isFile {
		_, _ = io.WriteString(w, n.body)
	} else {
		sum := sha256.Sum256([]byte(n.body))
		b, _, _ := manifest.Manifest{Files: []manifest.File{{Path: "out", Size: int64(len(n.body)), Mode: 0o644, Sum: sum[:]}}}.Encode()
		_, _ = w.Write(b)
	}
	res := w.Result()
	res.Body = closing{res.Body, func() {
		n.mu.Lock()
		n.open--
		n.mu.Unlock()
	}}
	return res, nil
}

type closing struct {
	io.ReadCloser
	closed func()
}

func (c closing) Close() error {
	c.closed()
	return c.ReadCloser.Close()
}

func (n *network) CloseIdleConnections() {}

func (n *network) underWay() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.open
}

func (n *network) Outputs(context.Context, string, uint32) (*subjects.OutputsAnswer, error) {
	return &n.answer, nil
}

func (n *network) OutputOf(context.Context, string, uint32, uint32) (*subjects.OutputsAnswer, error) {
	return nil, fmt.Errorf("no stage reads by task")
}

// gatherer gathers over the network.
func (n *network) gatherer(c Config) *Gatherer {
	c.Host, c.Slotter = "here", n
	g := New(c)
	g.fetch.HTTP.Transport = newLimited(n, g.cfg.Transfers)
	return g
}

// attempt is one of a task that reads all outputs.
func (n *network) attempt(t *testing.T, task uint32) Attempt {
	return Attempt{
		Task:   actor.Task{Job: "job", TaskID: subjects.TaskID{Stage: 1, Task: task}},
		Doc:    &subjects.Submitted{Spec: spec.Job{Stages: []spec.Stage{{Name: "a"}, {Name: "b", From: []spec.From{{Stage: 0}}}}}},
		Folder: folder(t),
	}
}

func TestTransfersAtOnceAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		cfg         Config
		tasks, want int
	}{
		"a task":             {Config{}, 1, turns.TaskTransfers},
		"a host":             {Config{}, 6, turns.HostTransfers},
		"a task, by a flag":  {Config{TaskTransfers: 3}, 1, 3},
		"a host, by a flag":  {Config{Transfers: 5}, 2, 5},
		"few beside much":    {Config{}, 2, 2 * turns.TaskTransfers},
		"less for all tasks": {Config{TaskTransfers: 9, Transfers: 4}, 1, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork(10, 4)
				n.gate = make(chan struct{})
				g := n.gatherer(c.cfg)
				var group sync.WaitGroup
				for task := range c.tasks {
					at := n.attempt(t, uint32(task))
					group.Go(func() {
						if in, err := g.Input(t.Context(), at, nil); err != nil || len(in.Ranges) != 40 {
							t.Errorf("Input() = %d files, %v, want 40", len(in.Ranges), err)
						}
					})
				}
				synctest.Wait()
				if got := n.underWay(); got != c.want {
					t.Errorf("%d transfers at once, want %d", got, c.want)
				}
				close(n.gate)
				group.Wait()
				if got := n.underWay(); got != 0 {
					t.Errorf("transfers under way at the end = %d, want 0", got)
				}
			})
		})
	}
}

// A task that is to end does not wait for its turn.
func TestATransferThatWaitsCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(1, 2)
		n.gate = make(chan struct{})
		g := n.gatherer(Config{TaskTransfers: 1, Transfers: 1})
		var group sync.WaitGroup
		first, second := n.attempt(t, 0), n.attempt(t, 1)
		group.Go(func() { _, _ = g.Input(t.Context(), first, nil) })
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		group.Go(func() {
			_, err := g.Input(ctx, second, nil)
			stopped <- err
		})
		synctest.Wait()
		cancel()
		if err := <-stopped; err == nil {
			t.Error("end of a stopped input = nil, want an error")
		}
		close(n.gate)
		group.Wait()
	})
}

// The tasks of a stage begin at different hosts, and ask each host once before they ask one again.
func TestEachTaskHasItsOwnOrderOfHosts(t *testing.T) {
	const hosts = 4
	begin := map[string]bool{}
	for task := range uint32(hosts) {
		n := newNetwork(hosts, 3)
		g := n.gatherer(Config{TaskTransfers: 1})
		in, err := g.Input(t.Context(), n.attempt(t, task), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSortedFunc(in.Ranges, func(a, b spec.Range) int { return strings.Compare(a.Path, b.Path) }) {
			t.Error("Input() is out of order, want the order of the tasks that wrote it")
		}
		begin[n.files[0]] = true
		for round := range slices.Chunk(n.files, hosts) {
			if slices.Sort(round); len(slices.Compact(round)) != hosts {
				t.Errorf("task %d asked %v, want each host once before any again", task, n.files)
			}
		}
	}
	if len(begin) != hosts {
		t.Errorf("the tasks begin at %d hosts, want %d", len(begin), hosts)
	}
}

func TestWhatIsFetchedIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(4, 2)
		n.busy = func() { time.Sleep(time.Second) }
		in, err := n.gatherer(Config{}).Input(t.Context(), n.attempt(t, 0), nil)
		each := int64(4 * len(n.body))
		want := subjects.Fetch{Fetching: 2, Fetched: []subjects.Fetched{{Rack: "rack-0", Bytes: each, Seconds: 1}, {Rack: "rack-1", Bytes: each, Seconds: 1}}}
		slices.SortFunc(in.Fetch.Fetched, func(a, b subjects.Fetched) int { return strings.Compare(a.Rack, b.Rack) })
		if err != nil || in.Fetch.Fetching != want.Fetching || !slices.Equal(in.Fetch.Fetched, want.Fetched) {
			t.Errorf("%+v (%v), want %+v: manifests for a second, then all files at once", in.Fetch, err, want)
		}
	})
}

func TestTheMeterCountsRacks(t *testing.T) {
	var m meter
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	a, b := m.begin("r", at(0)), m.begin("r", at(1))
	m.end(a, 10, at(3))
	m.end(b, 5, at(4))
	m.end(m.begin("r", at(10)), 1, at(12))
	m.end(m.begin("idle", at(0)), 0, at(50)) // it failed
	want := []subjects.Fetched{{Rack: "r", Bytes: 16, Seconds: 6}}
	if got := m.fetch(20 * time.Second); !slices.Equal(got.Fetched, want) || got.Fetching != 20 || got.Copied() != 16 {
		t.Errorf("fetch() = %+v, want %+v", got, want)
	}
	if got := new(meter).fetch(time.Second); got.Fetching != 0 || got.Fetched != nil {
		t.Errorf("fetch where nothing came = %+v, want none", got)
	}

	m = meter{}
	for i := range 12 {
		m.end(m.begin(fmt.Sprint(i), at(i)), 1, at(i+1))
	}
	got := m.fetch(time.Second).Fetched
	if last := got[len(got)-1]; len(got) != subjects.MaxFetchedRacks+1 || last.Rack != subjects.OtherRacks || last.Bytes != 4 || last.Seconds < 4 {
		t.Errorf("fetch of 12 racks = %+v, want the largest and the rest in one", got)
	}
}
