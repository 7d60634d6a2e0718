package subjects

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEveryKindComesBackAsItWent(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.about+"."+k.verb, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				e := k.make()
				draw(t, e)
				m, err := Encode("pool-1", e)
				if err != nil {
					t.Fatal(err)
				}
				got, err := Decode("pool-1", m.Subject, m.Body)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, e) {
					t.Fatalf("%s: got %+v, want %+v", m.Subject, got, e)
				}
			})
		})
	}
}

func TestTelemetryComesBackAsItWent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, sample := range []Telemetry{new(Usage), new(Beat)} {
			draw(t, sample)
			m, err := EncodeTelemetry("p", sample)
			if err != nil {
				t.Fatal(err)
			}
			got, err := DecodeTelemetry("p", m.Subject, m.Body)
			if err != nil || !reflect.DeepEqual(got, sample) {
				t.Fatalf("%s: got %+v, %v, want %+v", m.Subject, got, err, sample)
			}
		}
	})
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	body, err := Marshal(map[string]any{"term": 7, "future": []any{1, map[string]any{"a": "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode("p", "lull.p.host.a.left", body)
	if want := (&Left{Host: "a", Term: 7}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestSubjectsThatAreNoKind(t *testing.T) {
	for _, subject := range []string{
		"", "lull", "lull.", "lull.p", "lull.p.", "lull.p.job", "lull.p.job.a", "lull.p.job.a.sung",
		"lull.p.job.a.finished.b", "lull.p.host.a.assigned", "lull.p.host.a.left.b", "lull.p.host.a.assigned.b.c",
		"lull.q.job.a.finished", "lull.pp.job.a.finished", "lull.p.pool.paused.x", "lull.p.led.slotter",
		"other.p.job.a.finished", "lull.p.model.a", "lull.p.job.finished", "lull.p.led..",
	} {
		e, err := Decode("p", subject, []byte{0x80})
		if err == nil {
			t.Errorf("%q decoded as %T", subject, e)
		}
		if subject != "lull.p.led.." && !errors.Is(err, ErrUnknownKind) {
			t.Errorf("%q: got %v, want ErrUnknownKind", subject, err)
		}
	}
}

func TestTokensAreStrict(t *testing.T) {
	for _, bad := range []string{"", "a.b", "a*", ">", "a b", "a\tb", "$SYS", "é", strings.Repeat("a", maxToken+1), "a/b", `a\b`, "a\x00"} {
		if m, err := Encode("p", &Left{Host: bad}); err == nil {
			t.Errorf("encoded host %q on %q", bad, m.Subject)
		}
		if m, err := Encode("p", &Revoked{Host: "h", Job: bad}); err == nil {
			t.Errorf("encoded job %q on %q", bad, m.Subject)
		}
		if CheckToken("host", Token(bad)) != nil {
			t.Errorf("Token(%q) = %q, which is no token", bad, Token(bad))
		}
	}
	if _, err := Decode("p", "lull.p.host.$SYS.left", []byte{0x80}); err == nil || errors.Is(err, ErrUnknownKind) {
		t.Errorf("a bad token in a known subject: got %v", err)
	}
}

func TestHostileValuesAreRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, e := range []Event{
		&Assigned{Host: "h", Job: "j"},
		&Assigned{Host: "h", Job: "j", Width: MaxWidth + 1},
		&Assigned{Host: "h", Job: "j", Width: 1, Why: Why{Residual: nan}},
		&Joined{Host: "h", Slots: MaxSlots + 1},
		&Joined{Host: "h", Cores: MaxCores + 1},
		&Joined{Host: "h", Memory: -1},
		&Finished{Host: "h", Job: "j", Run: Run{Seconds: -1}},
		&Finished{Host: "h", Job: "j", Run: Run{Residual: 1.5}},
		&Failed{Host: "h", Job: "j", Run: Run{CPU: inf}},
		&Evicted{Host: "h", Job: "j", Run: Run{In: -1}},
		&Started{Host: "h", Job: "j", Residual: nan},
		&Fitted{Type: "t", A: inf},
		&Fitted{Type: "t", B: 1e6},
		&Fitted{Type: "t", C: -1},
		&Lost{Host: "h", Silence: nan},
		&Admitted{Job: "j", Slack: nan},
		&Endangered{Job: "j", Slack: -inf},
		&JobFinished{Job: "j", Totals: Totals{CPU: -1}},
		&JobFailed{Job: "j", Totals: Totals{Seconds: nan}},
		&Submitted{Job: "j"},
	} {
		if _, err := Encode("p", e); err == nil {
			t.Errorf("encoded %+v", e)
		}
		body, err := Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode("p", Pool("p").subject(e.route()...), body); err == nil {
			t.Errorf("decoded %+v", e)
		}
	}
}

func TestHostileSamplesAreRefused(t *testing.T) {
	for _, s := range []Telemetry{
		&Usage{Host: "h", Primary: math.NaN()},
		&Usage{Host: "h", Idle: math.Inf(1)},
		&Usage{Host: "h", Batch: -1},
		&Usage{Host: "h", Cores: MaxCores + 1},
		&Usage{Host: "h", MemoryFree: -1},
		&Usage{Host: "h", IOPressure: 2},
		&Usage{Host: "h", Age: -1},
		&Beat{Host: "h", Attempts: []uint64{3, 2}},
		&Beat{Host: "h", Attempts: make([]uint64, maxAttempts+1)},
	} {
		body, err := Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		about, host := s.from()
		if _, err := DecodeTelemetry("p", Pool("p").subject(about, host), body); err == nil {
			t.Errorf("decoded %+v", s)
		}
	}
}

func TestRequests(t *testing.T) {
	packed, err := Marshal(Request{Job: "wc-7", Who: "me"})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{string(packed), `{"job":"wc-7","who":"me"}`, " {\"who\":\"me\",\n\"job\":\"wc-7\"} "} {
		got, err := DecodeRequest([]byte(body))
		if want := (Request{Job: "wc-7", Who: "me"}); err != nil || got != want {
			t.Errorf("%q: got %+v, %v", body, got, err)
		}
	}
	for _, body := range []string{"", " ", "{}", `{"job":"a b"}`, `{"job":"a","jbo":"b"}`, `{"job":"a"}{}`, `{"job":"a"}]`, `{"job":1}`, "wc-7", "\x91\x01"} {
		if got, err := DecodeRequest([]byte(body)); err == nil {
			t.Errorf("%q: got %+v", body, got)
		}
	}
}

// TestLogKeepsExactlyTheKinds matches subjects against the stream's patterns
// as the server does.
func TestLogKeepsExactlyTheKinds(t *testing.T) {
	const p = Pool("p")
	for _, k := range kinds {
		subject := p.subject(strings.Split(strings.ReplaceAll(strings.Join(k.pattern(), "."), "*", "x"), ".")...)
		if n := matching(p.LogSubjects(), subject); n != 1 {
			t.Errorf("%s is kept by %d patterns", subject, n)
		}
		e := k.make()
		e.fill(strings.Split(subject, ".")[2:])
		if got := p.subject(e.route()...); got != subject {
			t.Errorf("%T routes to %s, its pattern says %s", e, got, subject)
		}
	}
	for _, other := range []string{p.Submit(), p.Request(RequestCancel), p.Usage("h"), p.Beat("h"), p.Ask(AskOutputs), p.Quarantine("log"), "lull.p.host.h.sung", "lull.p.host.h.sung.j"} {
		if matching(p.LogSubjects(), other) != 0 {
			t.Errorf("the log keeps %s", other)
		}
		if _, err := Decode(p, other, []byte{0x80}); !errors.Is(err, ErrUnknownKind) {
			t.Errorf("%s: got %v, want ErrUnknownKind", other, err)
		}
	}
}

func matching(patterns []string, subject string) (n int) {
	for _, p := range patterns {
		if matches(strings.Split(p, "."), strings.Split(subject, ".")) {
			n++
		}
	}
	return n
}

func matches(pattern, tokens []string) bool {
	if len(pattern) != len(tokens) {
		return false
	}
	for i := range pattern {
		if pattern[i] != "*" && pattern[i] != tokens[i] {
			return false
		}
	}
	return true
}

func golden() []Event {
	fact := Fact{TaskID{1, 300}, 41, 70_000}
	run := Run{Start: 1_790_000_000_000_000_000, Seconds: 1.5, CPU: 1.25, Residual: 0.75, In: 4096}
	return []Event{
		&Submitted{Job: "wc-7", Spec: sample(), Client: "me@here", Inbox: 7, At: 1_790_000_000_000_000_000, Trace: "00-ab-cd-01"},
		&Joined{Host: "a", Instance: "i", Boot: "b", Cores: 4, Slots: 4, Memory: 1 << 33, Labels: []string{"ssd=yes"}, URL: "http://a:1", Token: "secret", Class: "idle", Version: "1"},
		&Assigned{Host: "a", Job: "wc-7", TaskID: TaskID{1, 300}, Term: 41, Try: 2, Slot: 3, Width: 1, Why: Why{Rule: "mp-i", Residual: 0.5, Norm: 1.5}},
		&Finished{Host: "a", Job: "wc-7", Fact: fact, Run: run, Files: 2, Manifest: Digest{1, 2, 255}},
		&Failed{Host: "a", Job: "wc-7", Fact: fact, Run: run, Reason: ReasonSignal, Exit: -9},
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
			t.Fatalf("%T: %v, %s", e, err, text)
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

func TestJSONOfEveryKind(t *testing.T) {
	for _, k := range kinds {
		rapid.Check(t, func(t *rapid.T) {
			e := k.make()
			draw(t, e)
			text, err := JSON(e, 7, time.Unix(0, 0))
			var got map[string]any
			if err != nil || json.Unmarshal(text, &got) != nil {
				t.Fatalf("%T: %v, %s", e, err, text)
			}
			if got["event"] != Kind(e) || got["seq"] != 7.0 || got["time"] != "1970-01-01T00:00:00Z" {
				t.Fatalf("%T: %s", e, text)
			}
			if _, leaked := got["token"]; leaked {
				t.Fatalf("%T shows a token: %s", e, text)
			}
		})
	}
}
