package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"lull/subjects/spec"
)

// The count at a moment is what the task has read, plus at most the piece under way and a full
// pipe.
func TestTakenFollowsTheTask(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	const size = 4 << 20
	path := filepath.Join(cfg.Dir, "big")
	if err := os.WriteFile(path, make([]byte, size), 0o644); err != nil {
		t.Fatal(err)
	}
	task := shell(cfg, 1, `head -c 1000000 >/dev/null; od -An -t u8 shim.taken`)
	task.Dir = cfg.Dir
	task.Stdin = Stdin{Ranges: []spec.Range{{Path: path, Size: size, Length: size}, {Path: path, Size: size, Length: size}}}
	e := run(t, c, task)
	var attempt uint64
	var meanwhile int64
	if _, err := fmt.Sscan(read(t, task.Stdout), &attempt, &meanwhile); err != nil || attempt != 1 {
		t.Fatalf("attempt = %d, %v, want 1", attempt, err)
	}
	const pipe, buffer = 64 << 10, 128 << 10 // head may read ahead
	if meanwhile < 1_000_000-pieceBytes || meanwhile > 1_000_000+pipe+buffer {
		t.Errorf("taken = %d bytes after 1000000 were read, want at most a pipe and a buffer more", meanwhile)
	}
	if taken, ok := Taken(cfg.Dir, 1); !ok || taken != e.In || taken < meanwhile {
		t.Errorf("Taken(1) = %d, %v, want %d as the end says", taken, ok, e.In)
	}
	if _, ok := Taken(cfg.Dir, 2); ok {
		t.Error("Taken(2) = true, want false: it is another attempt")
	}
}

func TestTakenIsUnknownWithoutAFeed(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	run(t, c, shell(cfg, 1, `true`))
	if n, ok := Taken(cfg.Dir, 1); ok {
		t.Errorf("Taken(a task without input) = %d, want none", n)
	}
	if _, ok := Taken(t.TempDir(), 1); ok {
		t.Error("Taken(a slot without a shim) = true, want false")
	}
}

func BenchmarkTaken(b *testing.B) {
	dir := b.TempDir()
	fd, err := openTaken(dir)
	if err != nil {
		b.Fatal(err)
	}
	c := counted{fd: fd, attempt: 1}
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			c.note()
		}
	})
	b.Run("ask", func(b *testing.B) {
		for b.Loop() {
			if _, ok := Taken(dir, 1); !ok {
				b.Fatal("unknown")
			}
		}
	})
}
