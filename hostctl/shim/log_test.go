package shim

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keptTwin is what a log should keep, the slow and obvious way.
func keptTwin(stream []byte, half int) []byte {
	if len(stream) <= 2*half {
		return stream
	}
	mark := fmt.Sprintf("\n… %d bytes left out …\n", len(stream)-2*half)
	return slicesConcat(stream[:half], []byte(mark), stream[len(stream)-half:])
}

func slicesConcat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestLogKeepsBothEnds(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "log")
	for round := range 300 {
		l := newLog(path, 2+2*rng.Int64N(50))
		var stream []byte
		for range rng.IntN(12) {
			piece := make([]byte, rng.IntN(120))
			for i := range piece {
				piece[i] = byte('a' + rng.IntN(26))
			}
			stream = append(stream, piece...)
			l.write(piece)
			if rng.IntN(2) == 0 {
				l.flush()
			}
		}
		if l.close(); l.err != nil {
			t.Fatal(l.err)
		}
		if len(stream) == 0 {
			continue
		}
		if got, want := must(os.ReadFile(path)), keptTwin(stream, int(l.half)); !bytes.Equal(got, want) {
			t.Fatalf("seed %d, round %d: half %d kept %q, want %q", seed, round, l.half, got, want)
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
	if len(out) > 1<<16+100 || !strings.HasPrefix(out, "first\n") || !strings.HasSuffix(out, "last\n") || !strings.Contains(out, " bytes left out …") {
		t.Errorf("log = %d bytes, want at most 64 KiB with its ends and a mark between", len(out))
	}
}

func TestOutputIsReadableWhileTheTaskRuns(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := shell(cfg, 1, `head -c 100 /dev/zero | tr '\0' a; echo now; sleep 1000`)
	task.LogBytes = 32
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
