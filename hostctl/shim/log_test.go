package shim

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/hostctl/store"
)

// What a reader has read of a log stays as it is, and what is beyond the bound is counted.
func TestALogIsOnlyAddedTo(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		path := filepath.Join(t.TempDir(), "log")
		l := newLog(path, 1+rng.Int64N(400))
		var stream []byte
		for range 1 + rng.IntN(12) {
			piece := make([]byte, 1+rng.IntN(120))
			for i := range piece {
				piece[i] = byte('a' + rng.IntN(26))
			}
			stream = append(stream, piece...)
			l.write(piece)
			if got, want := must(os.ReadFile(path)), stream[:min(int64(len(stream)), l.bound)]; !bytes.Equal(got, want) {
				t.Fatalf("seed %d, round %d: bound %d kept %q, want %q", seed, round, l.bound, got, want)
			}
		}
		if l.close(); l.err != nil {
			t.Fatal(l.err)
		}
		if got, want := store.LogCut(path).Missing, max(0, int64(len(stream))-l.bound); got != want {
			t.Fatalf("seed %d, round %d: %d bytes are said to be missing, want %d", seed, round, got, want)
		}
	}
}

func TestLogOutlivesItsDisk(t *testing.T) {
	l := newLog("/dev/full", 10)
	l.write([]byte("some text that is longer than the bound"))
	l.write([]byte("more"))
	l.close()
	if l.err == nil || l.total != 43 {
		t.Errorf("the log ends with %v after %d bytes, want no space after 43", l.err, l.total)
	}
}

func TestEndlessWriter(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := shell(cfg, 1, `echo first; head -c 2G /dev/zero; echo last`)
	task.LogBytes = 1 << 16
	e := run(t, c, task)
	if want := int64(2<<30 + 11); e.Status != 0 || e.Out != want {
		t.Errorf("end = %+v, want %d bytes out", e, want)
	}
	out := read(t, cfg.Dir, "stdout")
	if len(out) != 1<<16 || !strings.HasPrefix(out, "first\n") {
		t.Errorf("log = %d bytes, want the first 64 KiB", len(out))
	}
	if got, want := store.LogCut(task.Stdout).Missing, e.Out-1<<16; got != want {
		t.Errorf("bytes that are said to be missing = %d, want %d", got, want)
	}
}

func TestOutputIsReadableWhileTheTaskRuns(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := shell(cfg, 1, `head -c 100 /dev/zero | tr '\0' a; echo now; sleep 1000`)
	if err := c.Start(task); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the last line in the file", func() bool {
		b, _ := os.ReadFile(task.Stdout)
		return bytes.HasSuffix(b, []byte("now\n"))
	})
}

func TestSharedStream(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := shell(cfg, 1, `echo a; echo b >&2; echo c`)
	task.Stderr = task.Stdout
	run(t, c, task)
	if got := read(t, cfg.Dir, "stdout"); got != "a\nb\nc\n" {
		t.Errorf("stdout = %q, want a, b, c", got)
	}
}

// Without a fence a task can make a named pipe at the path of its log. The shim waits for no
// reader, and reports that there is no log.
func TestAPipeInTheLogsPlaceBlocksNoReader(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	e := run(t, c, shell(cfg, 1, `mkfifo stdout && echo hello`))
	if e.Status != 0 || !strings.Contains(e.Text, "could not be kept") {
		t.Errorf("end = %+v, want status 0 and that the log could not be kept", e)
	}
}

// That bytes are missing is noted with the first of them, and the last ones are kept: they may say why the task failed.
func TestALogSaysWhatItLacks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stderr")
	l := newLog(path, 8)
	l.write([]byte("begin\n"))
	if got := store.LogCut(path); got.Missing != 0 {
		t.Errorf("missing of a whole log = %d", got.Missing)
	}
	l.write([]byte("more\nthe reason\n"))
	if got := store.LogCut(path); got.Missing != 14 || string(got.Last) != "re\nthe reason\n" {
		t.Errorf("cut while the task runs = %d, %q, want 14 bytes", got.Missing, got.Last)
	}
	if got, want := store.Tail(path, 20), "more\nthe reason"; got != want {
		t.Errorf("Tail() = %q, want %q", got, want)
	}
	l.write([]byte(strings.Repeat("x", 3*mostLast)))
	l.write([]byte("\nlast words\n"))
	if l.close(); l.err != nil {
		t.Fatal(l.err)
	}
	if got := store.LogCut(path); got.Missing != 14+3*mostLast+12 || len(got.Last) != mostLast {
		t.Errorf("cut = %d with %d last bytes, want %d with %d", got.Missing, len(got.Last), 14+3*mostLast+12, mostLast)
	}
	if got := store.Tail(path, 20); got != "last words" {
		t.Errorf("Tail() = %q, want the last line", got)
	}
}

// On a full disk the log ends, and what it lacks is counted all the same.
func TestALogOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stdout")
	l := newLog(path, 0)
	l.write([]byte("kept"))
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	l.file = full
	l.write([]byte("not kept"))
	l.write([]byte("!"))
	if l.close(); l.err == nil {
		t.Error("close() = no error, want that of the disk")
	}
	if got := store.LogCut(path); got.Missing != 9 || string(got.Last) != "not kept!" {
		t.Errorf("cut = %d, %q, want 9 bytes", got.Missing, got.Last)
	}
}
