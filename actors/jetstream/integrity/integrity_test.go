package integrity_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/actors/jetstream"
	"lull/actors/jetstream/integrity"
)

// TestTheServersOwnBlocks: the check reads what this module's server writes, and
// leaves an undamaged store alone.
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
			t.Errorf("entries = %v, want 5 to 20", all)
		}
		if err := bus.Trim(t.Context(), 21); err != nil {
			t.Fatal(err)
		}
	})
	h.must(func(bus *jetstream.Bus) {
		if last := say(t, bus, 1); last != 21 {
			t.Errorf("next entry = %d, want 21", last)
		}
	})
	if len(h.messages) > 0 {
		t.Errorf("messages = %q, want none", h.messages)
	}
}

// TestAFlippedByteIsPutBack changes every byte of the log in turn.
func TestAFlippedByteIsPutBack(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) { say(t, bus, 6) })
	whole, err := os.ReadFile(h.block())
	if err != nil {
		t.Fatal(err)
	}
	cfg := integrity.Config{Store: filepath.Join(h.dir, "nats", "jetstream"), Mark: filepath.Join(h.dir, "mark"), Aside: t.TempDir()}
	for at := range whole {
		messages := 0
		cfg.Tell = func(string) { messages++ }
		flip(t, h.block(), at, byte(at*37+1)|1)
		if err := integrity.Check(cfg); err != nil {
			t.Fatalf("byte %d: Check() = %v, want no error", at, err)
		}
		if b, _ := os.ReadFile(h.block()); !slices.Equal(b, whole) || messages == 0 {
			t.Fatalf("byte %d: block differs or %d messages, want the whole block and at least 1", at, messages)
		}
	}
}

// TestAForeignMessageStays: bytes that no writer of the pool wrote are not damage, even
// where other lengths would make them look more like an entry.
func TestAForeignMessageStays(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) {
		say(t, bus, 1)
		for _, body := range []string{"caf\u00e9", "x\x80", "", "{}"} {
			subject := pool.LogSubjects()[0]
			subject = strings.ReplaceAll(subject, "*", "a")
			if _, err := bus.Conn().Request(subject, []byte(body), 5*time.Second); err != nil {
				t.Fatal(err)
			}
		}
		say(t, bus, 1)
	})
	whole, err := os.ReadFile(h.block())
	if err != nil {
		t.Fatal(err)
	}
	h.must(func(bus *jetstream.Bus) {
		if all, _ := entries(t, bus); !slices.Equal(all, upTo(6)) {
			t.Errorf("entries = %v, want 1 to 6", all)
		}
	})
	if b, _ := os.ReadFile(h.block()); !slices.Equal(b, whole) || len(h.messages) > 0 {
		t.Errorf("block changed or messages %q, want neither", h.messages)
	}
}

// TestALostTail: a lost tail is refused with its extent, and after a repair its
// sequences are not given out again.
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
				t.Fatalf("lost = %+v, want one range up to 10", loss.Lost)
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
				t.Log(all, void, h.messages)
				if len(void) == 0 || void[len(void)-1] != 10 {
					t.Errorf("entries %v, void %v, want the last void one at 10", all, void)
				}
			})
			h.messages = nil
			h.must(func(bus *jetstream.Bus) { say(t, bus, 1) })
			if len(h.messages) > 0 {
				t.Errorf("messages after the repair = %q, want none", h.messages)
			}
		})
	}
}

// TestATrimmedLogWithoutSnapshots: nothing covers the trimmed entries. After a repair
// the pool begins anew after them, and the inbox's old messages do not run again.
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

// TestAnEntryInTheMiddle: entries after a damaged one keep their sequences.
func TestAnEntryInTheMiddle(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) { say(t, bus, 10) })
	for at := 5*58 + 25; at < 5*58+45; at++ {
		flip(t, h.block(), at, 0xa5)
	}
	loss := h.refused()
	if len(loss.Lost) != 1 || loss.Lost[0].From != 6 || loss.Lost[0].To != 6 || !strings.Contains(loss.Error(), "1.blk is damaged at byte 290") {
		t.Fatalf("lost = %v, want 6 alone, and the damaged byte named", loss)
	}
	before, err := os.ReadFile(h.block())
	if err != nil {
		t.Fatal(err)
	}
	h.repaired(func(bus *jetstream.Bus) {
		if all, void := entries(t, bus); !slices.Equal(all, upTo(10)) || !slices.Equal(void, []uint64{6}) {
			t.Errorf("entries %v, void %v, want 1 to 10, [6]", all, void)
		}
	})
	kept, err := filepath.Glob(filepath.Join(h.dir, "damaged", "*", "LULL_default-1.blk"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("damaged files kept = %q, %v, want one", kept, err)
	}
	if b, _ := os.ReadFile(kept[0]); !slices.Equal(b, before) {
		t.Error("the damaged file that was kept differs, want it as it was")
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
	mark.Clean = false // as after a kill: later sequences may have been given out
	if err := mark.Save(filepath.Join(h.dir, "mark"), true); err != nil {
		t.Fatal(err)
	}
	h.repaired(func(bus *jetstream.Bus) {
		last := say(t, bus, 1)
		reader, err := jetstream.Attach(t.Context(), bus.Conn(), pool)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
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
		t.Errorf("entry %d was not read: %v, want it read", last, ctx.Err())
	})
}

// TestAFilledLog: Void fills the lost sequences of another server's log, so that none
// is given out again.
func TestAFilledLog(t *testing.T) {
	h := newHouse(t)
	h.must(func(bus *jetstream.Bus) {
		say(t, bus, 3)
		if err := bus.Void(t.Context(), 2503); err != nil {
			t.Fatal(err)
		}
		all, void := entries(t, bus)
		if len(all) != 2503 || len(void) != 2500 || void[0] != 4 {
			t.Errorf("entries, void = %d, %d, want 2503, 2500 from 4 on", len(all), len(void))
		}
		if last := say(t, bus, 1); last != 2504 {
			t.Errorf("next entry = %d, want 2504", last)
		}
	})
}
