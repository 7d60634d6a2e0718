package integrity_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/integrity"
	"lull/subjects"
	"lull/subjects/ledger"
)

const pool = subjects.DefaultPool

// house is a data folder with a server that comes and goes.
type house struct {
	t    *testing.T
	dir  string
	told []string
}

func newHouse(t *testing.T) *house { return &house{t: t, dir: t.TempDir()} }

func (h *house) config() jetstream.EmbeddedConfig {
	return jetstream.EmbeddedConfig{Dir: h.dir, Remedy: "lull repair", Tell: func(s string) { h.told = append(h.told, s) }}
}

// with starts the server for the length of use.
func (h *house) with(cfg jetstream.EmbeddedConfig, use func(*jetstream.Bus)) error {
	h.t.Helper()
	server, err := jetstream.Start(cfg)
	if err != nil {
		return err
	}
	nc, err := server.Conn("test")
	if err != nil {
		h.t.Fatal(err)
	}
	bus, err := jetstream.Open(h.t.Context(), nc, pool)
	if err != nil {
		h.t.Fatal(err)
	}
	use(bus)
	nc.Close()
	if err := server.Shutdown(); err != nil {
		h.t.Fatal(err)
	}
	return nil
}

func (h *house) must(use func(*jetstream.Bus)) {
	h.t.Helper()
	if err := h.with(h.config(), use); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) refused() *integrity.LossError {
	h.t.Helper()
	err := h.with(h.config(), func(*jetstream.Bus) {})
	var loss *integrity.LossError
	if !errors.As(err, &loss) {
		h.t.Fatalf("started with %v, want a loss; told %q", err, h.told)
	}
	return loss
}

func (h *house) repaired(use func(*jetstream.Bus)) {
	h.t.Helper()
	cfg := h.config()
	cfg.Repair = true
	if err := h.with(cfg, use); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) msgs(stream string) string {
	return filepath.Join(h.dir, "nats", "jetstream", "$G", "streams", stream, "msgs")
}

func (h *house) block() string { return filepath.Join(h.msgs(pool.Log()), "1.blk") }

func say(t *testing.T, bus *jetstream.Bus, n int) uint64 {
	t.Helper()
	m, err := subjects.Encode(pool, &subjects.Drained{Host: "a"})
	if err != nil {
		t.Fatal(err)
	}
	var last uint64
	for range n {
		if last, err = bus.Append(t.Context(), []subjects.Message{m}, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// entries lists the log's sequences, and which of them are Voided.
func entries(t *testing.T, bus *jetstream.Bus) (all, void []uint64) {
	t.Helper()
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	from, err := bus.Follow(ctx, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	for d := range from {
		all = append(all, d.Seq)
		if e, err := subjects.Decode(pool, d.Subject, d.Body); err == nil {
			if _, ok := e.(*subjects.Voided); ok {
				void = append(void, d.Seq)
			}
		}
		if d.Seq >= info.Last {
			break
		}
	}
	return all, void
}

func flip(t *testing.T, path string, at int, mask byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[at] ^= mask
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func upTo(n uint64) (seqs []uint64) {
	for seq := uint64(1); seq <= n; seq++ {
		seqs = append(seqs, seq)
	}
	return seqs
}

// TestTheServersOwnBlocks: what the server of this module writes is read, and an
// undamaged store is left alone.
func TestTheServersOwnBlocks(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) { say(t, bus, 20) })
	h.must(func(bus *jetstream.Bus) {
		if err := bus.Trim(t.Context(), 5); err != nil {
			t.Fatal(err)
		}
		if err := bus.Save(t.Context(), "admission.all", snapshot(t, bus, 20)); err != nil {
			t.Fatal(err)
		}
		if err := bus.Save(t.Context(), "slotter.all", snapshot(t, bus, 20)); err != nil {
			t.Fatal(err)
		}
	})
	h.must(func(bus *jetstream.Bus) {
		if all, _ := entries(t, bus); !slices.Equal(all, upTo(20)[4:]) {
			t.Errorf("entries %v", all)
		}
		if err := bus.Trim(t.Context(), 21); err != nil {
			t.Fatal(err)
		}
	})
	h.must(func(bus *jetstream.Bus) {
		if last := say(t, bus, 1); last != 21 {
			t.Errorf("the next entry is %d", last)
		}
	})
	if len(h.told) > 0 {
		t.Errorf("told %q", h.told)
	}
}

func snapshot(t *testing.T, bus *jetstream.Bus, seq uint64) actors.Snapshot {
	t.Helper()
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return actors.Snapshot{Created: info.Created, Seq: seq, State: []byte("state")}
}

// TestAFlippedByteIsPutBack: every byte of the log, with any change of it.
func TestAFlippedByteIsPutBack(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) { say(t, bus, 6) })
	whole, err := os.ReadFile(h.block())
	if err != nil {
		t.Fatal(err)
	}
	cfg := integrity.Config{Store: filepath.Join(h.dir, "nats", "jetstream"), Mark: filepath.Join(h.dir, "mark"), Aside: t.TempDir()}
	for at := range whole {
		told := 0
		cfg.Tell = func(string) { told++ }
		flip(t, h.block(), at, byte(at*37+1)|1)
		if err := integrity.Check(cfg); err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		if b, _ := os.ReadFile(h.block()); !slices.Equal(b, whole) || told == 0 {
			t.Fatalf("byte %d: the block is not what it was; told %d", at, told)
		}
	}
}

// TestALostTail is refused with all that is known of it, and never given out again.
func TestALostTail(t *testing.T) {
	for name, damage := range map[string]func(h *house){
		"cut":         func(h *house) { resize(h.t, h.block(), 3*58) },
		"cut within":  func(h *house) { resize(h.t, h.block(), 3*58+30) },
		"removed":     func(h *house) { remove(h.t, h.block()) },
		"all removed": func(h *house) { remove(h.t, filepath.Dir(h.msgs(pool.Log()))) },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.must(func(bus *jetstream.Bus) { say(t, bus, 10) })
			h.t = t
			damage(h)
			loss := h.refused()
			if n := len(loss.Lost); n != 1 || loss.Lost[0].To != 10 {
				t.Fatalf("lost %+v", loss.Lost)
			}
			for _, want := range []string{"entries of the log are lost", "to 10", "LULL_default", "lull repair"} {
				if !strings.Contains(loss.Error(), want) {
					t.Errorf("%q does not say %q", loss, want)
				}
			}
			t.Log(loss)
			h.repaired(func(bus *jetstream.Bus) {
				if last := say(t, bus, 1); last != 11 {
					t.Errorf("the next entry is %d, want 11", last)
				}
				all, void := entries(t, bus)
				t.Log(all, void, h.told)
				if len(void) == 0 || void[len(void)-1] != 10 {
					t.Errorf("entries %v, void %v", all, void)
				}
			})
			h.told = nil
			h.must(func(bus *jetstream.Bus) { say(t, bus, 1) })
			if len(h.told) > 0 {
				t.Errorf("after the repair: %q", h.told)
			}
		})
	}
}

func resize(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// TestATrimmedLogWithoutSnapshots: nothing knows what the trimmed entries said. The
// pool begins anew behind them, and the inbox's old messages are not run again.
func TestATrimmedLogWithoutSnapshots(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) {
		say(t, bus, 20)
		for _, name := range []string{"admission.all", "slotter.all"} {
			if err := bus.Save(t.Context(), name, snapshot(t, bus, 15)); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			if _, err := bus.Conn().Request(pool.Submit(), []byte("{}"), 5*time.Second); err != nil {
				t.Fatal(err)
			}
		}
		if err := bus.Trim(t.Context(), 11); err != nil {
			t.Fatal(err)
		}
	})
	remove(t, filepath.Dir(h.msgs("OBJ_"+pool.Snapshots())))
	loss := h.refused()
	if len(loss.Lost) != 1 || loss.Lost[0].From != 1 || loss.Lost[0].To != 10 {
		t.Fatalf("lost %+v, want 1 to 10", loss.Lost)
	}
	h.repaired(func(bus *jetstream.Bus) {
		all, void := entries(t, bus)
		if want := append([]uint64{10}, upTo(20)[10:]...); !slices.Equal(all, want) || !slices.Equal(void, []uint64{10}) {
			t.Errorf("entries %v, of them void %v; want %v", all, void, want)
		}
		state := folded(t, bus)
		if state.Inbox != 3 {
			t.Errorf("the inbox counts as dealt with up to %d, want 3", state.Inbox)
		}
	})
}

// folded is the ledger of the log.
func folded(t *testing.T, bus *jetstream.Bus) *ledger.State {
	t.Helper()
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	from, err := bus.Follow(ctx, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	state := ledger.New()
	for d := range from {
		if e, err := subjects.Decode(pool, d.Subject, d.Body); err == nil {
			state.Apply(d.Seq, d.Time, e)
		}
		if d.Seq >= info.Last {
			break
		}
	}
	return state
}

// TestAnEntryInTheMiddle: what is behind a damaged entry stays, under its own sequence.
func TestAnEntryInTheMiddle(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) { say(t, bus, 10) })
	for at := 5*58 + 25; at < 5*58+45; at++ {
		flip(t, h.block(), at, 0xa5)
	}
	loss := h.refused()
	if len(loss.Lost) != 1 || loss.Lost[0].From != 6 || loss.Lost[0].To != 6 || !strings.Contains(loss.Error(), "1.blk is damaged at byte 290") {
		t.Fatalf("lost %v", loss)
	}
	before, err := os.ReadFile(h.block())
	if err != nil {
		t.Fatal(err)
	}
	h.repaired(func(bus *jetstream.Bus) {
		if all, void := entries(t, bus); !slices.Equal(all, upTo(10)) || !slices.Equal(void, []uint64{6}) {
			t.Errorf("entries %v, of them void %v", all, void)
		}
	})
	kept, err := filepath.Glob(filepath.Join(h.dir, "damaged", "*", "LULL_default-1.blk"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("the file as it was: %q, %v", kept, err)
	}
	if b, _ := os.ReadFile(kept[0]); !slices.Equal(b, before) {
		t.Error("what was kept is not the file as it was")
	}
}

// TestReadersWithoutAConsumerPassAGap reads a repaired log as clients do.
func TestReadersWithoutAConsumerPassAGap(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) { say(t, bus, 10) })
	resize(t, h.block(), 5*58)
	mark, err := integrity.LoadMark(filepath.Join(h.dir, "mark"))
	if err != nil {
		t.Fatal(err)
	}
	mark.Clean = false // as after a kill: more may have been given out
	if err := mark.Save(filepath.Join(h.dir, "mark"), true); err != nil {
		t.Fatal(err)
	}
	h.repaired(func(bus *jetstream.Bus) {
		last := say(t, bus, 1)
		reader, err := jetstream.Attach(t.Context(), bus.Conn(), pool)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		from, err := reader.Follow(ctx, 1, "")
		if err != nil {
			t.Fatal(err)
		}
		for d := range from {
			if d.Seq == last {
				return
			}
		}
		t.Errorf("%d was not read: %v", last, ctx.Err())
	})
}

// TestAFilledLog: what another server's log has lost is filled, and names nothing new.
func TestAFilledLog(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) {
		say(t, bus, 3)
		if err := bus.Void(t.Context(), 2503); err != nil {
			t.Fatal(err)
		}
		all, void := entries(t, bus)
		if len(all) != 2503 || len(void) != 2500 || void[0] != 4 {
			t.Errorf("%d entries, %d of them void", len(all), len(void))
		}
		if last := say(t, bus, 1); last != 2504 {
			t.Errorf("the next entry is %d", last)
		}
	})
}
