// Package corruption damages the files of a pool on one machine, one at a time, and starts
// the pool again. It must go on without loss, or refuse to start with the file, the loss and
// the command that repairs, which is then tried.
package corruption

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/actors/jetstream/integrity"
	"lull/cmd/lull/serve/local"
	"lull/subjects/ledger"
	"lull/test/poll"
)

var (
	more = flag.Int("more", 1, "tries of each case that depends on chance")
	seed = flag.Uint64("seed", 0, "seed of the places that are damaged (0: a new one, which a failure prints)")
)

// outcome is the required result of a start after damage.
type outcome string

const (
	whole   outcome = "goes on whole"
	refused outcome = "refuses, and goes on after lull repair"
	either  outcome = "either of these"
)

// Folders of streams in the embedded server's store.
const (
	logStream  = "LULL_default"
	inbox      = "LULL_default_INBOX"
	quarantine = "LULL_default_QUARANTINE"
	snapshots  = "OBJ_LULL_default_SNAPSHOTS"
	objects    = "OBJ_LULL_default_OBJECTS"
	lists      = "LULL_default_LISTS"
	blocks     = "LULL_default_HISTORY"

	// byName are streams that are read by name, which is then compared with the content,
	// or only by people, and the history of hosts. They are damaged together.
	byName = lists + " " + objects + " " + quarantine + " " + blocks
)

// cases list the file, the damage and the required outcomes: after an orderly stop, and
// after a kill. TestContent tries damage that leaves the content of a stream unchanged.
var cases = []struct {
	stream, file, how string
	stopped, killed   outcome
}{
	{logStream, "msgs/1.blk", "zeros", whole, either}, // by where it is: before the snapshots, or behind
	{logStream, "msgs/1.blk", "cut", whole, refused},
	{logStream, "msgs/1.blk", "cut at an entry", whole, refused},
	{logStream, "msgs/1.blk", "remove", whole, refused},
	{logStream, "", "remove", whole, refused},

	{inbox, "msgs/1.blk", "zeros", whole, whole},
	{inbox, "msgs/1.blk", "cut", whole, whole},
	{inbox, "msgs/1.blk", "remove", whole, whole},
	{inbox, "", "remove", whole, whole},

	{snapshots, "msgs/1.blk", "flip", whole, whole},
	{snapshots, "msgs/1.blk", "zeros", whole, whole},
	{snapshots, "msgs/1.blk", "cut", whole, whole},
	{snapshots, "msgs/1.blk", "remove", whole, whole},
	{snapshots, "", "remove", whole, whole},

	{byName, "msgs/1.blk", "zeros", whole, whole},
	{byName, "msgs/1.blk", "cut", whole, whole},
	{byName, "msgs/1.blk", "remove", whole, whole},
	{byName, "", "remove", whole, whole},

	{"", "mark", "flip", whole, whole},
	{"", "mark", "remove", whole, whole},
	{"", "streams", "remove", refused, refused},
}

// TestCorruption damages a file of a pool and starts the whole pool. A case with the same
// outcome for a stopped and a killed pool is tried on one of them, unless -more is given.
func TestCorruption(t *testing.T) {
	before := prepared(t)
	for i, c := range cases {
		for n, from := range before {
			asked := []outcome{c.stopped, c.killed}[n]
			if c.stopped == c.killed && !chosen(i, n) {
				continue
			}
			for try := range *more {
				t.Run(fmt.Sprintf("%s/%s %s, %s", c.stream, c.file, c.how, from.how), func(t *testing.T) {
					data := filepath.Join(t.TempDir(), "data")
					clone(t, from.data, data)
					for s, stream := range strings.Split(c.stream, " ") {
						damage(t, chance(i, n, try, s), store(data, stream, c.file), c.how)
					}
					from.goesOn(t, data, asked)
				})
			}
		}
	}
}

// chosen reports whether the i-th case is tried on the n-th of the two pools.
func chosen(i, n int) bool { return *more > 1 || (uint64(i)+*seed)%2 == uint64(n) }

// chance is the random source of a case.
func chance(of ...int) *rand.Rand {
	place := uint64(0)
	for _, n := range of {
		place = place*1_000 + uint64(n)
	}
	return rand.New(rand.NewPCG(*seed, place))
}

func store(data, stream, file string) string {
	switch {
	case stream != "":
		return filepath.Join(data, "jetstream/nats/jetstream/$G/streams", stream, file)
	case file == "streams":
		return filepath.Join(data, "jetstream/nats/jetstream/$G")
	}
	return filepath.Join(data, "jetstream", file)
}

// past is a pool's data folder and its acknowledged jobs.
type past struct {
	how, data string
	jobs      map[string]written // by id
	last      uint64             // the last entry of its log
}

// written is a job of the past.
type written struct {
	name string
	seq  uint64 // of its submitted in the log
}

// prepared returns the pools that all tests begin with, one that was stopped and one that
// was killed. They are made once.
func prepared(t *testing.T) []*past {
	t.Helper()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", *seed)
	if made == nil {
		made = prepare(t, filepath.Join(folder, "stopped"), filepath.Join(folder, "killed"))
	}
	return made
}

var (
	folder string // of what TestMain removes
	made   []*past
)

// prepare makes a pool, runs jobs in it, and copies its folder: while it runs, and after it
// was stopped.
func prepare(t *testing.T, data, copied string) []*past {
	t.Helper()
	l, err := start(t, data)
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]written{}
	var state *ledger.State
	for i, name := range []string{"one", "two", "three"} {
		if i == 2 { // new terms, and snapshots that cover only the first jobs
			l.stop()
			if l, err = start(t, data); err != nil {
				t.Fatal(err)
			}
		}
		id := l.submit(name)
		state = l.finished(id)
		jobs[id] = written{name, state.Job(id).Seq}
	}
	l.fill()
	killed := &past{"killed", copied, jobs, state.Seq}
	marked(t, filepath.Join(data, "jetstream", "mark"), state.Seq)
	clone(t, data, killed.data)
	l.stop()
	return []*past{{"stopped", data, jobs, state.Seq}, killed}
}

// marked waits until the mark holds an entry: it is up to a second behind.
func marked(t *testing.T, path string, seq uint64) {
	t.Helper()
	var mark integrity.Mark
	var err error
	follows := func() bool {
		mark, err = integrity.LoadMark(path)
		return err == nil && mark.Streams["$G/streams/"+logStream].Last >= seq
	}
	if !poll.Until(patience, 10*time.Millisecond, follows) {
		t.Fatalf("LoadMark() = %+v, %v, want the log marked up to %d", mark, err, seq)
	}
}

// goesOn starts the pool after the damage and checks the outcome.
func (p *past) goesOn(t *testing.T, data string, asked outcome) {
	t.Helper()
	l, err := start(t, data)
	var loss *integrity.LossError
	switch {
	case err == nil && asked == refused:
		t.Errorf("start(damaged pool) = nil error, want it refused; it logged\n%s", l.logged)
	case errors.As(err, &loss):
		t.Logf("refused: %v", err)
		if asked == whole {
			t.Errorf("start(damaged pool) = %v, want no error", err)
		}
		if !strings.Contains(err.Error(), "lull repair --data "+data) || !strings.Contains(err.Error(), data+"/jetstream/nats") {
			t.Errorf("start(damaged pool) = %v, want it to name the file and lull repair --data %s", err, data)
		}
		if err := local.Repair(data, false, func(format string, args ...any) { t.Logf("repair: "+format, args...) }); err != nil {
			t.Fatalf("Repair() = %v, want no error", err)
		}
		if l, err = start(t, data); err != nil {
			t.Fatalf("start() after the repair = %v, want no error", err)
		}
	case err != nil:
		t.Fatalf("start(damaged pool) = %v, want no error or a loss", err)
	}
	p.check(t, l, loss)
	if text := l.logged.String(); text != "" {
		t.Logf("logged: %s", text)
	}
	l.stop()
}

// check compares the pool with the acknowledged jobs, and runs a new job.
func (p *past) check(t *testing.T, l *life, loss *integrity.LossError) {
	t.Helper()
	all := loss == nil
	next := l.submit("next")
	state := l.assigned(next)
	if !all { // on a busy machine a task waits for CPU, so not every case runs one
		state = l.finished(next)
		p.checkOutput(t, l, state, next, "next", true)
	}
	l.keepsMore()
	if ids := l.attempts(next); slices.Min(ids) <= p.last {
		t.Errorf("attempts of a new job = %v, want ids above %d, the last that was given out", ids, p.last)
	}
	for id, job := range p.jobs {
		j := state.Job(id)
		if j == nil {
			if !names(loss, job.seq) {
				t.Errorf("job %s is gone, want it, or a loss that names its entry %d; it logged\n%s", id, job.seq, l.logged)
			}
			continue
		}
		if loss != nil && loss.Lost[0].From == 1 {
			t.Errorf("job %s is there after all of the log was lost, want it gone", id)
		}
		if j.Phase != ledger.Finished {
			state = l.finished(id) // it runs again
		}
		p.checkOutput(t, l, state, id, job.name, all)
	}
}

// names reports whether a loss names an entry of the log.
func names(loss *integrity.LossError, seq uint64) bool {
	return loss != nil && slices.ContainsFunc(loss.Lost, func(l integrity.Lost) bool {
		return l.What == "entries of the log" && l.From <= seq && seq <= l.To
	})
}

// checkOutput: an output is that of its job, or reported as lost.
func (p *past) checkOutput(t *testing.T, l *life, s *ledger.State, id, name string, there bool) {
	t.Helper()
	got, err := l.output(s, id)
	if err == nil && got != want(name) {
		t.Errorf("output of %s = %q, want %q", id, got, want(name))
	}
	if err != nil && there {
		t.Errorf("output of %s = %v, want %q", id, err, want(name))
	}
}
