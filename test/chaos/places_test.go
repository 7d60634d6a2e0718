package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/test/poll"
)

// TestAPlacedJobLosesItsPlacerAndAHost: a word count with a shuffle is placed by a real placer. Then all
// placers are killed, and with them one of the hosts; another placer takes over and chooses hosts for the
// rest of the job, and the result is right.
func TestAPlacedJobLosesItsPlacerAndAHost(t *testing.T) {
	ctx, cancel := poll.Chance(context.Background(), 2*patience)
	defer cancel()
	dir := t.TempDir()
	counts, err := corpus(mkdir(t, dir, "corpus"), rand.New(rand.NewPCG(1, 1)))
	check(t, err)
	f, err := newFleet(lull, dir)
	check(t, err)
	f.flags = map[string][]string{"slotter": {"--silence", "2s", "--await-placer", "30s"}}
	t.Cleanup(func() { f.bury(t) })
	layout := []string{"server", "admission", "slotter", "placer-a", "placer-b", "agent-1", "agent-2", "agent-3"}
	for _, name := range layout {
		check(t, f.start(name))
	}
	check(t, f.describeNetwork(ctx))
	for { // until all hosts are known to the placer
		out, err := f.ask(ctx, "topology", "--hosts", "--output", "json")
		check(t, err)
		if strings.Count(string(out), `"under": "r`)+strings.Count(string(out), `"under":"r`) == 3 {
			break
		}
		check(t, wait(ctx, pause))
	}
	document := strings.NewReplacer("sleep 0.05", "sleep 1", "split: 4KB", "split: 16KB").
		Replace(fmt.Sprintf(job, filepath.Join(dir, "output"), filepath.Join(dir, "corpus")))
	id, err := f.submit(ctx, document)
	check(t, err)

	var on []subjects.PlacedHost
	check(t, f.await(ctx, id, func(j *ledger.Job) bool {
		if j.Phase.Ended() {
			t.Fatalf("phase before a placement = %s, want an open job", j.Phase)
		}
		if j.Placement != nil {
			on = j.Placement.Hosts
		}
		return j.Placement != nil && j.Totals.Attempts > 0
	}))
	if len(on) == 0 {
		t.Fatal("the placement names no host, want some")
	}
	f.kill("placer-a")
	f.kill("placer-b")
	lost := "agent" + strings.TrimPrefix(on[len(on)-1].Host, f.host)
	f.kill(lost)
	check(t, f.start("placer-b"))

	again := false
	check(t, f.await(ctx, id, func(j *ledger.Job) bool {
		again = again || j.Placement != nil && j.Placement.Again
		return again || j.Phase.Ended()
	}))
	if !again {
		t.Error("the job ended without another placement, want one after a host of it was lost")
	}
	check(t, f.start(lost)) // it puts right what it left
	check(t, f.await(ctx, id, func(j *ledger.Job) bool { return j.Phase.Ended() }))
	check(t, f.committedOnce(ctx, id))
	why, err := f.ask(ctx, "why", id)
	check(t, err)
	if !strings.Contains(string(why), "again because hosts of it are gone") {
		t.Errorf("lull why =\n%s\nwant it to say that the job was placed again because hosts are gone", why)
	}
	check(t, f.stop([]string{"server", "admission", "slotter", "placer-b", "agent-1", "agent-2", "agent-3"}))
	check(t, compare(filepath.Join(dir, "output"), counts))
	if left := f.leftovers(ctx); len(left) > 0 {
		t.Errorf("left behind = %s, want nothing", strings.Join(left, "\n  "))
	}
}
