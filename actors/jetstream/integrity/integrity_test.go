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

func (h *house) refused() *integrity.Loss {
	h.t.Helper()
	err := h.with(h.config(), func(*jetstream.Bus) {})
	var loss *integrity.Loss
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

func (h *house) block(n string) string { return filepath.Join(h.msgs(pool.Log()), n+".blk") }

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
	whole, err := os.ReadFile(h.block("1"))
	if err != nil {
		t.Fatal(err)
	}
	cfg := integrity.Config{Store: filepath.Join(h.dir, "nats", "jetstream"), Mark: filepath.Join(h.dir, "mark"), Aside: t.TempDir()}
	for at := range whole {
		told := 0
		cfg.Tell = func(string) { told++ }
		flip(t, h.block("1"), at, byte(at*37+1)|1)
		if err := integrity.Check(cfg); err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		if b, _ := os.ReadFile(h.block("1")); !slices.Equal(b, whole) || told == 0 {
			t.Fatalf("byte %d: the block is not what it was; told %d", at, told)
		}
	}
}

// TestALostTail is refused with all that is known of it, and never given out again.
func TestALostTail(t *testing.T) {
	for name, damage := range map[string]func(h *house){
		"cut":         func(h *house) { resize(h.t, h.block("1"), 3*106) },
		"cut within":  func(h *house) { resize(h.t, h.block("1"), 3*106+50) },
		"removed":     func(h *house) { remove(h.t, h.block("1")) },
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
