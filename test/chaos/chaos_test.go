package chaos

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/subjects/ledger"
	"lull/test/binary"
	"lull/test/poll"
)

var (
	seeds = flag.Int("chaos.seeds", 4, "how many seeds to run")
	from  = flag.Uint64("chaos.from", 1, "the first seed")
)

// patience bounds one script, in idle time: see poll.Chance.
const patience = 4 * time.Minute

// lull is the path of the real command.
var lull string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	path, remove, err := binary.Lull()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer remove()
	lull = path
	return m.Run()
}

// TestNothingIsLost runs the seeds. A failure prints the script; the same seed
// gives the same script again: go test ./test/chaos -chaos.from N.
func TestNothingIsLost(t *testing.T) {
	for seed := *from; seed < *from+uint64(*seeds); seed++ {
		t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) {
			t.Parallel() // it mostly waits
			play(t, newScript(seed))
		})
	}
}

func play(t *testing.T, s script) {
	t.Log(s)
	ctx, cancel := poll.Chance(context.Background(), patience)
	defer cancel()
	dir := t.TempDir()
	counts, err := corpus(mkdir(t, dir, "corpus"), rand.New(rand.NewPCG(s.seed, 1)))
	check(t, err)
	f, err := newFleet(lull, dir)
	check(t, err)
	t.Cleanup(func() { f.bury(t) })
	for _, name := range s.layout {
		check(t, f.start(name))
	}
	check(t, f.describeNetwork(ctx))
	output := filepath.Join(dir, "output")
	id, err := f.submit(ctx, fmt.Sprintf(job, output, filepath.Join(dir, "corpus")))
	check(t, err)
	check(t, f.importPast(ctx))
	if s.midway {
		check(t, f.await(ctx, id, func(j *ledger.Job) bool { return j.Totals.Attempts > 0 }))
	}
	check(t, f.inject(ctx, s.faults))
	check(t, f.await(ctx, id, func(j *ledger.Job) bool { return j.Phase.Ended() }))
	check(t, f.committedOnce(ctx, id))
	check(t, f.classifiedWhole(ctx))
	check(t, f.stop(s.layout))
	check(t, compare(output, counts))
	if left := f.leftovers(ctx); len(left) > 0 {
		t.Errorf("left behind = %s, want nothing", strings.Join(left, "\n  "))
	}
}

func mkdir(t *testing.T, elem ...string) string {
	dir := filepath.Join(elem...)
	check(t, os.MkdirAll(dir, 0o755))
	return dir
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// bury ends the processes that a failed run left, and prints their output.
func (f *fleet) bury(t *testing.T) {
	for name := range f.running {
		f.kill(name)
	}
	if !t.Failed() {
		return
	}
	logs, _ := filepath.Glob(filepath.Join(f.dir, "*.log"))
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		t.Logf("%s:\n%s", filepath.Base(log), text[max(0, len(text)-4000):])
	}
}
