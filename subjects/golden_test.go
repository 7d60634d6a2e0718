package subjects

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden() []Event {
	fact := Fact{TaskID{1, 300}, 41, 70_000}
	run := Run{Start: 1_790_000_000_000_000_000, Seconds: 1.5, CPU: 1.25, Residual: 0.75, In: 4096}
	return []Event{
		&Submitted{Job: "wc-7", Spec: sample(), Client: "me@here", Inbox: 7, At: 1_790_000_000_000_000_000, Trace: "00-ab-cd-01"},
		&Joined{Host: "a", Instance: "i", Boot: "b", Cores: 4, Slots: 4, Ahead: 4, Memory: 1 << 33, Labels: []string{"ssd=yes"}, URL: "http://a:1", Token: "secret", Class: "idle", Version: "1"},
		&Assigned{Host: "a", Job: "wc-7", TaskID: TaskID{1, 300}, Term: 41, Try: 2, Slot: 3, Width: 1, Why: Why{Rule: "mp-i", Residual: 0.5, Norm: 1.5}},
		&Finished{Host: "a", Job: "wc-7", Fact: fact, Run: run, Files: 2, Manifest: Digest{1, 2, 255}},
		&Finished{Host: "a", Job: "wc-7", Fact: fact, Run: run, Fetch: Fetch{Fetching: 2.5, Fetched: []Fetched{{Rack: "r1", Bytes: 1 << 20, Seconds: 2}, {Bytes: 9, Seconds: 0.5}}}},
		&Failed{Host: "a", Job: "wc-7", Fact: fact, Run: run, Reason: ReasonSignal, Exit: -9},
		&OutputMissing{Host: "a", Job: "wc-7", Fact: fact, Folder: "/data/attempt-70000"},
		&PoolPaused{Who: "me"},
		&Led{Actor: "slotter", Partition: "default", Instance: "i"},
	}
}

// TestGolden keeps the wire form and the form for people from drifting: a log
// outlives the binary that wrote it.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for i, e := range golden() {
		m, err := Encode(DefaultPool, e)
		if err != nil {
			t.Fatal(err)
		}
		text, err := JSON(e, uint64(i+1), time.Unix(1_790_000_000, 5))
		if err != nil || !json.Valid(text) {
			t.Fatalf("JSON(%T) = %s, %v, want valid JSON", e, text, err)
		}
		fmt.Fprintf(&b, "%s\n%+q\n%s\n\n", m.Subject, m.Body, text)
	}
	const file = "testdata/events.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the form of events has changed; if it was meant, run with -update.\ngot:\n%s\nwant:\n%s", b.String(), want)
	}
}
