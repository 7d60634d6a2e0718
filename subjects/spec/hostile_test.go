package spec

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// hostile documents are short for what they cost a parser that trusts them.
func hostile() map[string]string {
	laugh := "name: j\nstages: &a [x, x, x, x, x, x, x, x]\n"
	for range 20 {
		laugh += "a: &b [*a, *a, *a, *a]\n"
	}
	return map[string]string{
		"brackets":           strings.Repeat("[", 100_000),
		"braces":             strings.Repeat("{a: ", 100_000),
		"dashes":             strings.Repeat("- ", 100_000),
		"keys on a line":     strings.Repeat("a: ", 30_000),
		"question marks":     strings.Repeat("? ", 100_000),
		"keys":               strings.Repeat("a: 1\n", 60_000),
		"steps":              steps(1400),
		"commas":             "[" + strings.Repeat("a,", 500_000) + "]",
		"a billion laughs":   laugh,
		"a megabyte of text": strings.Repeat("x", MaxDoc+1),
		"NUL":                "name: a\x00b",
		"Latin-1":            "name: \xe9",
		"percent":            strings.Repeat("%", MaxDoc),
		"pipes":              strings.Repeat("|", MaxDoc),
		"keys in braces":     "{" + strings.Repeat("1,", 130_000) + "}",
		"colons in braces":   "{" + strings.Repeat("a:,", 65_000) + "}",
		"documents":          "{" + strings.Repeat("---\n...\n", 60_000) + "}",
		"empty entries":      strings.Repeat("-\n", 65_000),
		"empty lines":        "name: |\n  " + strings.Repeat("x", 900_000) + strings.Repeat("\n", 100_000),
		"empty lines, CRLF":  "name: |\n  " + strings.Repeat("x", 500_000) + strings.Repeat("\r\n", 100_000),
		"huge number":        "name: j\nstages: [{name: a, command: x, tasks: 1" + strings.Repeat("0", 100) + "}]",
		"huge size":          "name: j\nstages: [{name: a, command: x, tasks: 1, memory: 99999999EB}]",
		"msgpack bomb":       "\xdf\xff\xff\xff\xff\x01\x01",
		"msgpack nest":       strings.Repeat("\x81\xa1a", 100_000),
		"nothing":            "",
	}
}

// steps nests block lists, one level a line.
func steps(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "-\n")
	}
	return b.String()
}

func TestHostileDocumentsAreRefusedSoon(t *testing.T) {
	for name, doc := range hostile() {
		start := used(t)
		_, err := ParseWire([]byte(doc))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want an *Error", name, err)
			continue
		}
		if len(e.Error()) > 1000 {
			t.Errorf("%s: an error of %d bytes, %.100s, want at most 1000", name, len(e.Error()), e.Error())
		}
		// A trusting parser takes minutes or all memory; these take less than 0.2 s
		// on an idle machine. The slack is for the race detector.
		if took := used(t) - start; took > 6*time.Second {
			t.Errorf("%s: refused after %v of CPU time, want at most 6s", name, took)
		}
	}
}

// dense documents are as slow to read as any that are allowed.
func dense() map[string]string {
	return map[string]string{
		"a list in JSON": `{"name":[` + strings.Repeat("1,", 60_000) + "1]}",
		"a list":         "name: [" + strings.Repeat("1 ,", 120_000) + "]",
		"maps in a list": "name: [" + strings.Repeat("a: b,", 60_000) + "]",
		"a map":          "name: {" + strings.Repeat("a:1,", 60_000) + "}",
		"half empty":     "{" + strings.Repeat("1,", maxEmpty-1) + strings.Repeat("a: b,", 60_000) + "}",
		"block keys":     strings.Repeat("a: 1\n", maxKeys),
		"a text":         "name: |\n  " + strings.Repeat("x", 1_000_000) + strings.Repeat("\n", maxGap),
		"texts":          strings.Repeat("- |\n  x"+strings.Repeat("\n", maxGap), 1900),
	}
}

// go test -bench Dense ./subjects/spec: each takes less than 0.4 s.
func BenchmarkDense(b *testing.B) {
	for name, doc := range dense() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, _ = Parse([]byte(doc))
			}
		})
	}
}

func TestDenseDocumentsAreReadSoon(t *testing.T) {
	for name, doc := range dense() {
		start := used(t)
		_, err := Parse([]byte(doc))
		if err == nil || strings.Contains(err.Error(), "more than") {
			t.Errorf("Parse(%s) = %v, want an error of another kind than its size", name, err)
		}
		if took := used(t) - start; took > 6*time.Second {
			t.Errorf("Parse(%s) took %v of CPU time, want at most 6s", name, took)
		}
	}
}

// What stands at the bounds is read as before, and beyond them the error names the bound.
func TestEmptyEntriesAndLinesAreBounded(t *testing.T) {
	for doc, want := range map[string]string{
		"- [" + strings.Repeat("{a: , b}, ", maxEmpty/2) + "]": "expected a map, found a list",
		"- {a: [], b: {}, c: [[]], d: ''}\n":                   "expected a map, found a list",
		strings.Repeat("-\n", maxEmpty) + "- x":                "expected a map, found a list",
		strings.Repeat("- - a\n  - b\n", maxEmpty):             "expected a map, found a list",
		"- [" + strings.Repeat("{a: , b}, ", maxEmpty) + "]":   "more than 1024 keys and entries without a value",
		strings.Repeat("-\n", maxEmpty+1) + "- x":              "more than 1024 keys and entries without a value",
		"-" + strings.Repeat("\n", maxGap+1) + "  a":           "expected a map, found a list",
		"-" + strings.Repeat(" \r\n", maxGap+2) + "  a":        "more than 64 empty lines stand before line 67",
		"-" + strings.Repeat("\r", maxGap+2) + "  a":           "more than 64 empty lines stand before line 67",
	} {
		if _, err := Parse([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q…: got %v, want %q", doc, err, want)
		}
	}
}

// used is the CPU time of this process: how long it waited for that is not its doing.
func used(t *testing.T) time.Duration {
	t.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// FuzzParse: no document makes the parser panic, and what is a job stays that
// job when it is sent.
func FuzzParse(f *testing.F) {
	f.Add([]byte(wordcount))
	f.Add([]byte("name: j\nstages: [{name: a, command: x, each: [a, 1, 0x10]}]"))
	f.Add([]byte("\x82\xa4name\xa1j\xa6stages\x91\x83\xa4name\xa1a\xa7command\xa1x\xa5tasks\x01"))
	f.Add([]byte(`{"name":"j","stages":[{"name":"a","command":["x"],"splits":[{"ranges":[{"path":"/f","size":1,"length":1}]}]}]}`))
	for _, doc := range hostile() {
		f.Add([]byte(doc[:min(len(doc), 4096)]))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := ParseWire(body)
		if err != nil {
			return
		}
		want, err := d.Job()
		if err != nil {
			return
		}
		text, err := d.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > MaxDoc || bytes.Contains(text, []byte(`\u0000`)) {
			return
		}
		again, err := ParseWire(text)
		if err != nil {
			t.Fatalf("ParseWire(%s) = %v, want no error", text, err)
		}
		if got, err := again.Job(); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("sent as %s: got %+v, %v, want %+v", text, got, err, want)
		}
	})
}
