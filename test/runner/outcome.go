package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// An outcome is what one run of a package's tests was.
type outcome struct {
	pkg     string
	raced   bool
	built   bool            // it compiled, with what it imports
	failed  bool            // the package, with or without a test that did
	running map[string]bool // tests that have begun and not ended
	tests   []test          // that ended
	output  bytes.Buffer    // of all tests and the package
	seconds float64
}

// A test is one that ended; a subtest has the name of its parents before its own.
type test struct {
	name, action string // pass, fail or skip
	seconds      float64
}

// take adds an event of the package, and returns the outcome once the package has ended.
func (o *outcome) take(e event) *outcome {
	switch e.Action {
	case "output":
		o.output.WriteString(e.Output)
	case "run":
		o.running[e.Test] = true
	case "pass", "fail", "skip":
		if e.Test != "" {
			delete(o.running, e.Test)
			o.tests = append(o.tests, test{e.Test, e.Action, e.Elapsed})
			return nil
		}
		o.failed, o.seconds = e.Action == "fail", e.Elapsed
		return o
	}
	return nil
}

// print writes what go test prints of a package that ended.
func (o *outcome) print(w io.Writer) {
	word := "ok"
	if o.failed {
		word = "FAIL"
		_, _ = w.Write(o.output.Bytes())
	}
	_, _ = fmt.Fprintf(w, "%s\t%s\t%.1fs\n", word, o.pkg, o.seconds)
}

// failures returns the tests that failed. Where only subtests of a test did, they stand for it: "TestScripts/run". No names mean
// that the package failed as a whole: that it did not compile, ended before its tests did, or failed outside of them.
func (o *outcome) failures() []string {
	if !o.built || o.early() {
		return nil
	}
	var names []string
	for _, t := range o.tests {
		if t.action == "fail" && strings.Count(t.name, "/") <= 1 {
			names = append(names, t.name)
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(parent string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, parent+"/") })
	})
}

// early reports whether the package ended before its tests did: by its time limit, a panic, or a signal.
func (o *outcome) early() bool { return len(o.running) > 0 }

// final returns why a failure is one whatever the machine did, or "".
func (o *outcome) final() string {
	text := o.output.Bytes()
	switch {
	case !o.built:
		return "it does not compile"
	case bytes.Contains(text, []byte("WARNING: DATA RACE")):
		return "the race detector found a data race"
	case bytes.Contains(text, []byte("\npanic: ")) && !bytes.Contains(text, []byte("\npanic: test timed out")):
		return "it panicked"
	case bytes.Contains(text, []byte("\nfatal error: ")):
		return "the runtime ended it"
	}
	if !isLive(o.pkg) {
		return "its tests are exact"
	}
	return ""
}

// passed reports whether a test ran and passed; without a name, whether any did.
func (o *outcome) passed(name string) bool {
	return slices.ContainsFunc(o.tests, func(t test) bool { return t.action == "pass" && (t.name == name || name == "") })
}

// count returns how many top-level tests ended with an action.
func (o *outcome) count(action string) (n int) {
	for _, t := range o.tests {
		if t.action == action && !strings.Contains(t.name, "/") {
			n++
		}
	}
	return n
}
