package admission

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors"
	"lull/admission/inbox"
	"lull/subjects"
	"lull/subjects/spec"
)

// odious documents are as large as a message may be and put as much as possible into one place.
// Texts that quote it and plans that count it must stay bounded.
func odious() map[string]string {
	const head, tail = "name: j\n", "stages: [{name: a, command: x, tasks: 1}]\n"
	long := strings.Repeat("x", 600_000)
	several := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	stage := func(text string) string { return head + "stages: [{name: a, command: x, tasks: 1, " + text + "}]" }
	return map[string]string{
		"deadline":      head + "deadline: " + long + "\n" + tail,
		"quotes":        head + "deadline: '" + strings.Repeat(`"`, 600_000) + "'\n" + tail,
		"name":          "name: " + long + "\n" + tail,
		"queue":         head + "queue: " + long + "\n" + tail,
		"output":        head + "output: /" + long + "\n" + tail,
		"key":           head + long + ": 1\n" + tail,
		"key in quotes": head + `"` + long + `": 1` + "\n" + tail,
		"key of a list": head + "[" + strings.Repeat("x,", 50_000) + "]: 1\n" + tail,
		"number":        stage("memory: 1" + strings.Repeat("0", 600_000)),
		"float":         stage("cpu: 1." + strings.Repeat("0", 600_000)),
		"tasks":         head + "stages: [{name: a, command: x, tasks: 4294967295}]",
		"ten million":   head + "stages: [{name: a, command: x, tasks: 10000000}]",
		"with deadline": head + "deadline: 1s\nstages: [{name: a, command: x, tasks: 10000000}]",
		"argument":      head + "stages: [{name: a, command: [" + long + "], tasks: 1}]",
		"arguments":     head + "stages: [{name: a, command: [" + strings.Repeat("x,", 60_000) + "x], tasks: 1}]",
		"env":           stage("env: {A: " + long + "}"),
		"envs":          stage("env: {" + several(20_000, "A%d: x, ") + "}"),
		"label":         stage("where: {a: " + long + "}"),
		"label below":   stage("where: {a: " + long[:90_000] + "}"),
		"source":        stage("sources: [" + long + "]"),
		"sources":       stage("sources: [" + several(30_000, "s%d, ") + "]"),
		"after":         stage("after: " + long),
		"from":          head + "stages: [{name: a, command: x, from: " + long + "}]",
		"each":          head + "stages:\n- name: a\n  command: x\n  each:\n" + several(30_000, "  - '%030d'\n"),
		"long each":     head + "stages:\n- name: a\n  command: x\n  each: [" + long + "]\n",
		"list":          head + "stages: [{name: a, command: x, tasks: 1, list: " + long + "}]",
		"globs":         head + "stages: [{name: a, command: x, inputs: [" + strings.Repeat("'/**/*',", 30_000) + "]}]",
		"stages":        head + "stages:\n" + several(256, "- {name: s%d, command: x, tasks: 39000}\n"),
		"chain":         head + "stages:\n- {name: s0, command: x, tasks: 39000}\n" + chain(255),
		"fan":           head + "stages:\n" + several(200, "- {name: s%d, command: x, tasks: 2}\n") + "- {name: z, command: x, tasks: 2, after: [" + several(200, "s%d, ") + "]}",
		"anchors":       head + "x: &a [1]\n" + strings.Repeat("y: *a\n", 20_000) + tail,
		"flow":          head + "x: " + strings.Repeat("[", 60_000),
		"JSON":          `{"name":"j","x":` + strings.Repeat(`{"a":`, 60_000),
		"text":          long,
		"tabs":          strings.Repeat("\t", 600_000),
		"lines":         strings.Repeat("\n", 120_000) + head + tail,
		"comment":       "#" + long + "\n" + head + tail,
		"odd runes":     head + "deadline: " + strings.Repeat("\u202e\u0301", 100_000) + "\n" + tail,
		"no runes":      head + "deadline: " + strings.Repeat("\xff", 600_000) + "\n" + tail,
		"packed":        "\x81\xda\xff\xff" + strings.Repeat("k", 65535) + "\x01",
		"block":         head + "deadline: |\n" + strings.Repeat("  x\n", 100_000) + tail,
		"negative":      head + "deadline: -1h\n" + tail,
		"keys":          "{" + strings.Repeat("1,", 130_000) + "}",
		"empty lines":   "name: |\n  " + long + strings.Repeat("\n", 100_000),
		"maps":          "name: [" + strings.Repeat("a: b,", 60_000) + "]",
		"percent":       head + "deadline: " + strings.Repeat("%s%n", 100_000) + "\n" + tail,
	}
}

func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- {name: s%d, command: x, tasks: 39000, after: s%d}\n", i+1, i)
	}
	return b.String()
}

// answered submits a document to a pool with hosts and a queue, and then a plain one.
// Both must be answered, by events that a log accepts.
func answered(t *testing.T, body []byte) {
	t.Helper()
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.submit(4, "1h")
	first, _ := p.request(actors.Request{Body: body, MessageID: "m"})
	next, _ := p.request(actors.Request{Body: job(1, "1h")})
	p.now = p.now.Add(2 * time.Second)
	for _, e := range p.settle() {
		if m, err := subjects.Encode(subjects.DefaultPool, e); err != nil || len(m.Body) > 1_000_000 {
			t.Errorf("Encode(%T) = %d bytes, %v, want at most 1 MB", e, len(m.Body), err)
		}
	}
	for _, id := range []uint64{first, next} {
		if v, ok := p.replies[id]; !ok || len(v.Text) > 2*inbox.MaxText {
			t.Errorf("message %d: answered %v, with a text of %d bytes, want an answer with at most %d", id, ok, len(v.Text), 2*inbox.MaxText)
		}
	}
	p.a.Answer(subjects.AskAdmission, body)
}

func TestAnyDocumentIsAnsweredAndTheNextOneToo(t *testing.T) {
	for name, doc := range odious() {
		t.Run(name, func(t *testing.T) {
			start := used(t)
			answered(t, []byte(doc))
			// Each takes less than a second on an idle machine; the slack is for
			// the race detector.
			if took := used(t) - start; took > 10*time.Second {
				t.Errorf("used %v of CPU time, want at most 10s", took)
			}
		})
	}
}

// A job that the log does not accept is rejected, and the next message is decided as
// usual.
func TestWhatTheLogRefusesIsRejected(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	first, _ := p.request(actors.Request{Body: job(1, "")})
	next, _ := p.request(actors.Request{Body: job(1, "")})
	refuse := func(e subjects.Event) {
		p.a.Step(actors.Input{Now: p.now, Refused: &actors.Refused{Event: e, Why: "it is too large"}})
	}
	refuse(p.decide()[0])
	rejected, ok := p.decide()[0].(*subjects.Rejected)
	if !ok || !strings.Contains(rejected.Text, "it is too large") || rejected.Inbox != first {
		t.Fatalf("decided after a refusal: %+v, want message %d rejected as too large", rejected, first)
	}
	refuse(rejected)
	p.settle()
	if v := p.replies[first]; v.Verdict != "rejected" || strings.Contains(v.Text, "large") {
		t.Errorf("reply after another refusal = %+v, want rejected for another reason", v)
	}
	if v := p.replies[next]; v.Verdict != "admitted" {
		t.Errorf("reply to the next message = %+v, want admitted", v)
	}
}

// used is the CPU time of this process, which does not depend on the machine's load.
func used(t *testing.T) time.Duration {
	t.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// FuzzAnyDocumentIsAnswered: go test -fuzz AnyDocument ./admission
func FuzzAnyDocumentIsAnswered(f *testing.F) {
	for _, doc := range odious() {
		f.Add([]byte(doc[:min(len(doc), 4096)]))
	}
	f.Add(job(1, "1s"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) <= spec.MaxDoc {
			answered(t, body)
		}
	})
}
