package integrity_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/integrity"
	"lull/subjects"
	"lull/subjects/ledger"
)

const pool = subjects.DefaultPool

// house is a data folder with a server that tests start and stop.
type house struct {
	t        *testing.T
	dir      string
	messages []string
}

func newHouse(t *testing.T) *house { return &house{t: t, dir: t.TempDir()} }

func (h *house) config() embedded.Config {
	return embedded.Config{Dir: h.dir, Remedy: "lull repair", Tell: func(s string) { h.messages = append(h.messages, s) }}
}

// with runs the server while use runs.
func (h *house) with(cfg embedded.Config, use func(*jetstream.Bus)) error {
	h.t.Helper()
	server, err := embedded.Start(cfg)
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
		h.t.Fatalf("started with %v, want a loss; messages %q", err, h.messages)
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

// logged reads the whole log.
func logged(t *testing.T, bus *jetstream.Bus) (all []actors.Delivery) {
	t.Helper()
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	from, err := bus.Follow(ctx, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	for d := range from {
		if all = append(all, d); d.Seq >= info.Last {
			break
		}
	}
	return all
}

// entries lists the log's sequences, and which of them are Voided.
func entries(t *testing.T, bus *jetstream.Bus) (all, void []uint64) {
	t.Helper()
	for _, d := range logged(t, bus) {
		all = append(all, d.Seq)
		if e, err := subjects.Decode(pool, d.Subject, d.Body); err == nil {
			if _, ok := e.(*subjects.Voided); ok {
				void = append(void, d.Seq)
			}
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

func snapshot(t *testing.T, bus *jetstream.Bus, seq uint64) actors.Snapshot {
	t.Helper()
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return actors.Snapshot{Created: info.Created, Seq: seq, State: []byte("state")}
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

// folded is the ledger of the log.
func folded(t *testing.T, bus *jetstream.Bus) *ledger.State {
	t.Helper()
	state := ledger.New()
	for _, d := range logged(t, bus) {
		if e, err := subjects.Decode(pool, d.Subject, d.Body); err == nil {
			state.Apply(d.Seq, d.Time, e)
		}
	}
	return state
}
