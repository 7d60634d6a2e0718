package subjects

import (
	"errors"
	"strings"
	"testing"
)

func TestSubjectsThatAreNoKind(t *testing.T) {
	for _, subject := range []string{
		"", "lull", "lull.", "lull.p", "lull.p.", "lull.p.job", "lull.p.job.a", "lull.p.job.a.sung",
		"lull.p.job.a.finished.b", "lull.p.host.a.assigned", "lull.p.host.a.left.b", "lull.p.host.a.assigned.b.c",
		"lull.q.job.a.finished", "lull.pp.job.a.finished", "lull.p.pool.paused.x.y", "lull.p.host.a.joined.b", "lull.p.led.slotter",
		"other.p.job.a.finished", "lull.p.model.a", "lull.p.job.finished", "lull.p.led..",
	} {
		e, err := Decode("p", subject, []byte{0x80})
		if err == nil {
			t.Errorf("Decode(%q) = %T, want an error", subject, e)
		}
		if subject != "lull.p.led.." && !errors.Is(err, ErrUnknownKind) {
			t.Errorf("%q: got %v, want ErrUnknownKind", subject, err)
		}
	}
}

// TestLogKeepsExactlyTheKinds matches subjects against the stream's patterns
// as the server does.
func TestLogKeepsExactlyTheKinds(t *testing.T) {
	const p = Pool("p")
	for _, k := range Ledger.kinds {
		subject := p.subject(strings.Split(strings.ReplaceAll(strings.Join(k.pattern(), "."), "*", "x"), ".")...)
		if n := matching(p.LogSubjects(), subject); n != 1 {
			t.Errorf("%d patterns of LogSubjects() match %s, want 1", n, subject)
		}
		e := k.make()
		e.fill(strings.Split(subject, ".")[2:])
		if got := p.subject(e.route()...); got != subject {
			t.Errorf("%T is sent on %s, want %s as in its pattern", e, got, subject)
		}
		Sign(e, "ann")
		if by := p.subject(e.route()...); k.signed() && (by != subject+".ann" || matching(p.LogSubjects(), by) != 1) {
			t.Errorf("%T signed by ann is sent on %s, which %d patterns match, want %s.ann and 1", e, by, matching(p.LogSubjects(), by), subject)
		}
	}
	for _, other := range []string{p.Submit(), p.Request(RequestCancel), p.Usage("h"), p.Beat("h"), p.Speed("h"), p.Ask(AskOutputs), p.Quarantine("log"), "lull.p.host.h.sung", "lull.p.host.h.sung.j"} {
		if matching(p.LogSubjects(), other) != 0 {
			t.Errorf("LogSubjects() match %s, want no match", other)
		}
		if _, err := Decode(p, other, []byte{0x80}); !errors.Is(err, ErrUnknownKind) {
			t.Errorf("%s: got %v, want ErrUnknownKind", other, err)
		}
	}
}

// TestOptionalKindsAreMarked makes one kind optional while it runs.
func TestOptionalKindsAreMarked(t *testing.T) {
	key := [2]string{"host", "harmed"}
	was := Ledger.index[key]
	defer func() { Ledger.index[key] = was }()
	for _, want := range []bool{true, false} {
		k := was
		k.optional = want
		Ledger.index[key] = k
		for _, e := range []Event{&Harmed{Host: "h"}, &Left{Host: "h"}} {
			m, err := Encode("p", e)
			if _, harmed := e.(*Harmed); err != nil || m.Optional != (want && harmed) {
				t.Errorf("Encode(%T) = optional %v, %v, want optional %v", e, m.Optional, err, want && harmed)
			}
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

// A log takes the kinds of its own vocabulary and no others.
func TestAVocabularyIsClosed(t *testing.T) {
	small := vocabulary([]kind{{"host", "paused", false, func() Event { return new(Paused) }, true}})
	m, err := small.Encode("p", &Paused{Host: "h"})
	if err != nil || !m.Optional {
		t.Errorf("small.Encode(Paused) = optional %v, %v, want optional and no error", m.Optional, err)
	}
	if e, err := small.Decode("p", m.Subject, m.Body); err != nil || e.(*Paused).Host != "h" {
		t.Errorf("small.Decode(Paused of h) = %v, %v, want it back", e, err)
	}
	if _, err := small.Encode("p", &Resumed{Host: "h"}); !errors.Is(err, ErrUnknownKind) {
		t.Errorf("small.Encode(Resumed) = %v, want ErrUnknownKind", err)
	}
	other, err := Encode("p", &Resumed{Host: "h"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := small.Decode("p", other.Subject, other.Body); !errors.Is(err, ErrUnknownKind) {
		t.Errorf("small.Decode(%s) = %v, want ErrUnknownKind", other.Subject, err)
	}
}
