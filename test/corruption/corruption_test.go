// Package corruption damages the files of a pool on one machine, one by one, and
// starts it again: it goes on whole, or refuses with the file, the loss and the
// command that repairs, and then that command is tried.
package corruption

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/actors/jetstream/integrity"
	"lull/cmd/lull/serve"
	"lull/subjects/ledger"
)

var (
	more = flag.Int("more", 1, "tries of each case that has chance in it")
	seed = flag.Uint64("seed", 0, "seed of the places that are damaged (0: a new one, which a failure prints)")
)

// outcome is what is asked of a start after damage.
type outcome string

const (
	whole   outcome = "goes on whole"
	refused outcome = "refuses, and goes on after lull repair"
	either  outcome = "either of these"
)

// the folders of streams in the embedded server's store.
const (
	logStream  = "LULL_default"
	inbox      = "LULL_default_INBOX"
	quarantine = "LULL_default_QUARANTINE"
	snapshots  = "OBJ_LULL_default_SNAPSHOTS"
	objects    = "OBJ_LULL_default_OBJECTS"
)

// cases are what is damaged, how, and what is asked then: after an orderly stop,
// and after a kill.
var cases = []struct {
	stream, file, how string
	stopped, killed   outcome
}{
	{logStream, "msgs/1.blk", "flip", whole, whole},
	{logStream, "msgs/1.blk", "zeros", whole, either}, // by where it is: before the snapshots, or behind
	{logStream, "msgs/1.blk", "cut", whole, refused},
	{logStream, "msgs/1.blk", "cut at an entry", whole, refused},
	{logStream, "msgs/1.blk", "remove", whole, refused},
	{logStream, "msgs/index.db", "flip", whole, whole},
	{logStream, "msgs/index.db", "cut", whole, whole},
	{logStream, "msgs/index.db", "remove", whole, whole},
	{logStream, "meta.inf", "flip", whole, whole},
	{logStream, "meta.inf", "cut", whole, whole},
	{logStream, "meta.inf", "remove", whole, whole},
	{logStream, "meta.sum", "flip", whole, whole},
	{logStream, "meta.sum", "remove", whole, whole},
	{logStream, "", "remove", whole, refused},

	{inbox, "msgs/1.blk", "flip", whole, whole},
	{inbox, "msgs/1.blk", "zeros", whole, whole},
	{inbox, "msgs/1.blk", "cut", whole, whole},
	{inbox, "msgs/1.blk", "remove", whole, whole},
	{inbox, "msgs/index.db", "flip", whole, whole},
	{inbox, "meta.inf", "flip", whole, whole},
	{inbox, "meta.sum", "cut", whole, whole},
	{inbox, "", "remove", whole, whole},

	{snapshots, "msgs/1.blk", "flip", whole, whole},
	{snapshots, "msgs/1.blk", "zeros", whole, whole},
	{snapshots, "msgs/1.blk", "cut", whole, whole},
	{snapshots, "msgs/1.blk", "remove", whole, whole},
	{snapshots, "msgs/index.db", "flip", whole, whole},
	{snapshots, "meta.inf", "flip", whole, whole},
	{snapshots, "", "remove", whole, whole},

	{objects, "meta.inf", "flip", whole, whole},
	{objects, "", "remove", whole, whole},
	{quarantine, "meta.inf", "remove", whole, whole},
	{quarantine, "", "remove", whole, whole},

	{"", "mark", "flip", whole, whole},
	{"", "mark", "remove", whole, whole},
	{"", "streams", "remove", refused, refused},
}

func TestCorruption(t *testing.T) {
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	before := prepare(t)
	place := uint64(0)
	for i, c := range cases {
		for _, from := range []*past{before.stopped, before.killed} {
			for range *more {
				asked := c.stopped
				if from == before.killed {
					asked = c.killed
				}
				place++
				place := place
				name := fmt.Sprintf("%02d %s/%s %s, %s", i, c.stream, c.file, c.how, from.how)
				t.Run(name, func(t *testing.T) {
					random := rand.New(rand.NewPCG(*seed, place))
					data := filepath.Join(t.TempDir(), "data")
					clone(t, from.data, data)
					where := damage(t, random, store(data, c.stream, c.file), c.how)
					t.Logf("%s; seed %d", where, *seed)
					from.goesOn(t, data, asked)
				})
			}
		}
	}
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

// past is a pool's data folder, and what was acknowledged in it.
type past struct {
	how, data string
	jobs      map[string]string // id → name
	last      uint64            // the last entry of its log
}

// prepare makes a pool, runs jobs in it, and copies its folder: while it runs, and
// after it was stopped.
func prepare(t *testing.T) (made struct{ stopped, killed *past }) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	l, err := start(t, data)
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]string{}
	var state *ledger.State
	for i, name := range []string{"one", "two", "three"} {
		if i == 2 { // new terms, and snapshots that hold only the first jobs
			l.stop()
			if l, err = start(t, data); err != nil {
				t.Fatal(err)
			}
		}
		id := l.submit(name)
		jobs[id] = name
		state = l.finished(id)
	}
	made.killed = &past{"killed", filepath.Join(t.TempDir(), "killed"), jobs, state.Seq}
	marked(t, filepath.Join(data, "jetstream", "mark"), state.Seq)
	clone(t, data, made.killed.data)
	l.stop()
	made.stopped = &past{"stopped", data, jobs, state.Seq}
	return made
}

// marked waits until the mark knows of an entry: it is a second behind.
func marked(t *testing.T, path string, seq uint64) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		mark, err := integrity.LoadMark(path)
		if err == nil && mark.Streams["$G/streams/"+logStream].Last >= seq {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the mark does not follow: %+v, %v", mark, err)
		}
	}
}

// goesOn starts the pool after the damage, and checks what is asked.
func (p *past) goesOn(t *testing.T, data string, asked outcome) {
	t.Helper()
	l, err := start(t, data)
	var loss *integrity.LossError
	switch {
	case err == nil && asked == refused:
		t.Errorf("it starts, and should refuse; told\n%s", l.told)
	case errors.As(err, &loss):
		t.Logf("refused: %v", err)
		if asked == whole {
			t.Error("it should go on whole")
		}
		if !strings.Contains(err.Error(), "lull repair --data "+data) || !strings.Contains(err.Error(), data+"/jetstream/nats") {
			t.Error("the refusal names neither file nor command")
		}
		if err := serve.Repair(data, false, func(format string, args ...any) { t.Logf("repair: "+format, args...) }); err != nil {
			t.Fatalf("repair: %v", err)
		}
		if l, err = start(t, data); err != nil {
			t.Fatalf("after the repair: %v", err)
		}
	case err != nil:
		t.Fatalf("start: %v", err)
	}
	p.check(t, l, loss)
	if text := l.told.String(); text != "" {
		t.Logf("told: %s", text)
	}
	l.stop()
}

// check looks at what was acknowledged, and runs something new.
func (p *past) check(t *testing.T, l *life, loss *integrity.LossError) {
	t.Helper()
	all := loss == nil
	next := l.submit("next")
	state := l.assigned(next)
	if !all { // tasks run when other tests leave them CPU: here it is worth the wait
		state = l.finished(next)
		p.checkOutput(t, l, state, next, "next", true)
	}
	if ids := l.attempts(next); slices.Min(ids) <= p.last {
		t.Errorf("attempts %v of a new job: ids up to %d were given out before", ids, p.last)
	}
	for id, name := range p.jobs {
		j := state.Job(id)
		if j == nil {
			if all {
				t.Errorf("job %s was acknowledged, and is not known; told\n%s", id, l.told)
			}
			continue
		}
		if loss != nil && loss.Lost[0].From == 1 {
			t.Errorf("all of the log was lost, and job %s runs again unasked", id)
		}
		state = l.finished(id)
		p.checkOutput(t, l, state, id, name, all)
	}
}

// checkOutput: an output is that of its job, or known to be lost.
func (p *past) checkOutput(t *testing.T, l *life, s *ledger.State, id, name string, there bool) {
	t.Helper()
	got, err := l.output(s, id)
	if err == nil && got != want(name) {
		t.Errorf("the output of %s is %q", id, got)
	}
	if err != nil && there {
		t.Errorf("the output of %s: %v", id, err)
	}
}

// damage changes a file or folder, and says where.
func damage(t *testing.T, random *rand.Rand, path, how string) string {
	t.Helper()
	if how == "remove" {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		return "removed " + path
	}
	body, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("there is no such file at this moment")
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(body) == 0 {
		t.Skip("the file holds nothing at this moment")
	}
	at := random.IntN(len(body))
	switch how {
	case "flip":
		body[at] ^= byte(1 + random.IntN(255))
	case "zeros":
		at = random.IntN(max(1, len(body)-600))
		clear(body[at:min(len(body), at+600)])
	case "cut":
		at = len(body)/4 + random.IntN(len(body)/2)
		body = body[:at]
	case "cut at an entry":
		at = entry(body, len(body)/4+random.IntN(len(body)/2))
		body = body[:at]
	}
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s at byte %d of %s", how, at, path)
}

// entry is the end of the first record of a block that ends at or behind an offset.
func entry(block []byte, behind int) int {
	at := 0
	for at < behind {
		at += int(uint32(block[at]) | uint32(block[at+1])<<8 | uint32(block[at+2])<<16 | uint32(block[at+3]&0x7f)<<24)
	}
	return min(at, len(block))
}
