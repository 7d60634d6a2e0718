package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"lull/actors"
	"lull/subjects"
)

var historySuite = []Test{
	{"history/a block takes the place of the last one", historyReplaces},
	{"history/readers go on with what is new", historyGoesOn},
	{"history/many blocks", historyOfMany},
	{"history/only blocks enter it", historyTakesBlocks},
}

// readBlocks reads blocks, each as its subject's last two tokens and its body.
func readBlocks(t *testing.T, bus actors.Bus, from uint64, filter string) (blocks []string, next uint64) {
	t.Helper()
	before := uint64(0)
	next, err := bus.ReadHistory(t.Context(), from, filter, func(d actors.Delivery) error {
		if d.Seq <= before || d.Time.IsZero() {
			t.Errorf("block %d of %v after block %d, want a later one with its time", d.Seq, d.Time, before)
		}
		before = d.Seq
		blocks = append(blocks, fmt.Sprintf("%s=%s", d.Subject[len("lull."+string(bus.Pool())+"."):], d.Body))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return blocks, next
}

func putBlock(t *testing.T, bus actors.Bus, subject, body string) {
	t.Helper()
	if err := bus.PutHistory(t.Context(), subjects.Message{Subject: subject, Body: []byte(body)}); err != nil {
		t.Fatal(err)
	}
}

func historyReplaces(t *testing.T, open Opener) {
	bus := open(t).Bus
	pool := bus.Pool()
	for _, b := range []string{"a 1", "a 2", "b 1", "a 1"} {
		putBlock(t, bus, pool.OfHistory(b[:1], b[2:]), fmt.Sprintf("%s of %d", b, lastSequence(t, bus)))
	}
	putBlock(t, bus, pool.OfHistory("a", "2"), "new")
	putBlock(t, bus, pool.OfPast("a", "2"), "imported")
	for _, c := range []struct {
		filter string
		want   []string
	}{
		{"", []string{"history.b.1=b 1 of 0", "history.a.1=a 1 of 0", "history.a.2=new", "past.a.2=imported"}},
		{pool.OfHistory("*", "*"), []string{"history.b.1=b 1 of 0", "history.a.1=a 1 of 0", "history.a.2=new"}},
		{pool.OfHistory("a", "*"), []string{"history.a.1=a 1 of 0", "history.a.2=new"}},
		{pool.OfPast("a", "*"), []string{"past.a.2=imported"}},
		{pool.OfHistory("c", "*"), nil},
	} {
		if got, _ := readBlocks(t, bus, 0, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.filter, got, c.want)
		}
	}
	if last := lastSequence(t, bus); last != 0 {
		t.Errorf("the log ends at %d, want 0: blocks are kept elsewhere", last)
	}
}

func historyGoesOn(t *testing.T, open Opener) {
	bus := open(t).Bus
	pool := bus.Pool()
	if blocks, next := readBlocks(t, bus, 0, ""); len(blocks) > 0 || next != 1 {
		t.Errorf("blocks of an empty stream = %q, next %d, want none, 1", blocks, next)
	}
	info, err := bus.HistoryInfo(t.Context())
	if err != nil || info.Created.IsZero() || info.Last != 0 {
		t.Errorf("HistoryInfo() of an empty stream = %+v, %v, want a time and last 0", info, err)
	}
	putBlock(t, bus, pool.OfHistory("a", "1"), "x")
	putBlock(t, bus, pool.OfHistory("b", "1"), "y")
	_, next := readBlocks(t, bus, 0, "")
	if blocks, again := readBlocks(t, bus, next, ""); len(blocks) > 0 || again != next {
		t.Errorf("blocks without any new one = %q, next %d, want none, %d", blocks, again, next)
	}
	putBlock(t, bus, pool.OfHistory("a", "1"), "z")
	if blocks, _ := readBlocks(t, bus, next, ""); !slices.Equal(blocks, []string{"history.a.1=z"}) {
		t.Errorf("new blocks = %q, want history.a.1=z", blocks)
	}
	if info, err := bus.HistoryInfo(t.Context()); err != nil || info.First != 2 || info.Last != 3 {
		t.Errorf("HistoryInfo() = %+v, %v, want 2 to 3", info, err)
	}
	enough, n := errors.New("enough"), 0
	_, err = bus.ReadHistory(t.Context(), 0, "", func(actors.Delivery) error { n++; return enough })
	if !errors.Is(err, enough) || n != 1 {
		t.Errorf("ReadHistory() = %v after %d blocks, want take's error after 1", err, n)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := bus.ReadHistory(ended, 0, "", func(actors.Delivery) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadHistory(a context that ended) = %v, want Canceled", err)
	}
}

// historyOfMany needs several answers of a server.
func historyOfMany(t *testing.T, open Opener) {
	const n = 1300
	bus := open(t).Bus
	for i := range n {
		putBlock(t, bus, bus.Pool().OfHistory(fmt.Sprint("h", i%100), fmt.Sprint(i)), "x")
	}
	if blocks, next := readBlocks(t, bus, 1, ""); len(blocks) != n || next != n+1 {
		t.Errorf("blocks = %d, next %d, want %d, %d", len(blocks), next, n, n+1)
	}
	if blocks, next := readBlocks(t, bus, 201, bus.Pool().OfHistory("h7", "*")); len(blocks) != 11 || next != 1209 {
		t.Errorf("blocks of h7 from 201 on = %d, next %d, want 11, 1209", len(blocks), next)
	}
}

func historyTakesBlocks(t *testing.T, open Opener) {
	bus := open(t).Bus
	pool := bus.Pool()
	for _, m := range []subjects.Message{
		{Subject: pool.Joined("a")}, {Subject: pool.Submit()}, {Subject: pool.OfHistory("a", "b.c")}, {},
		{Subject: pool.OfHistory("a", "1"), Body: make([]byte, 1<<20)},
	} {
		if err := bus.PutHistory(t.Context(), m); err == nil {
			t.Errorf("PutHistory(%d bytes on %q) = nil, want an error", len(m.Body), m.Subject)
		}
	}
	if blocks, _ := readBlocks(t, bus, 0, ""); len(blocks) > 0 || lastSequence(t, bus) > 0 {
		t.Errorf("blocks = %q, the log ends at %d, want none, 0", blocks, lastSequence(t, bus))
	}
}
