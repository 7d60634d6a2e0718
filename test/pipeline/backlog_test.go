package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"lull/cmd/lull/serve/folder"
	"lull/subjects"
)

// An inbox has half a gigabyte of large documents when admission starts. Admission reads them piece
// by piece. If it bounded what it fetches by the number of messages, most of them would be in
// memory at once: 1,500 of them once took 2 GB.
func TestABacklogOfLargeDocumentsTakesLittleMemory(t *testing.T) {
	t.Parallel()
	const (
		many = 600
		most = 400 << 20 // bytes of memory at the peak
	)
	f := newFleet(t)
	first := f.service("first", "admission")
	at, _ := folder.Find(filepath.Join(f.dir, "server"))
	conn, err := nats.Connect(at.URL, nats.Token(at.Token))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	f.clientWith(at.Token) // waits for the log
	f.eventually("the stream of submissions", func() bool {
		_, err := conn.Request(subjects.DefaultPool.Submit(), []byte(`{"name":"first"}`), patience)
		return err == nil
	})
	f.stop(first)
	doc := fmt.Appendf(nil, `{"name":"large","no-such-field":"%s"}`, strings.Repeat("x", 900_000))
	for range many {
		if _, err := conn.Request(subjects.DefaultPool.Submit(), doc, patience); err != nil {
			t.Fatal(err)
		}
	}
	admission := f.service("admission", "admission")
	answers := make(chan *nats.Msg, 1000)
	to := conn.NewInbox()
	if _, err := conn.ChanSubscribe(to, answers); err != nil {
		t.Fatal(err)
	}
	again := time.NewTicker(time.Second) // what comes before admission leads has no verdict
	defer again.Stop()
	deadline := time.After(patience)
	for verdict := false; !verdict; {
		select {
		case m := <-answers:
			verdict = strings.Contains(string(m.Data), `"rejected"`)
		case <-again.C:
			if err := conn.PublishRequest(subjects.DefaultPool.Submit(), to, []byte(`{"name":"last"}`)); err != nil {
				t.Fatal(err)
			}
		case <-deadline:
			t.Fatalf("no verdict on the last document within %v, want it rejected", patience)
		}
	}
	if peak := peak(t, admission); peak > most {
		t.Errorf("peak memory of admission = %d MB, want at most %d", peak>>20, most>>20)
	}
}

// peak is the most memory that a process has had, in bytes.
func peak(t *testing.T, p *process) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s took %d MB at its peak", p.name, kb>>10)
	return kb << 10
}
