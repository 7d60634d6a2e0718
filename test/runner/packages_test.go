package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// CI tests both lists: no package with tests is left out, and only those run twice that leave tests out with the detector.
func TestEachPackageIsTested(t *testing.T) {
	raced, rest, err := split()
	if err != nil {
		t.Fatal(err)
	}
	const tested = "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}"
	out, err := exec.Command("go", "list", "-f", tested, "lull/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Fields(string(out))
	some := []string{"lull/test/papers/simulated", "lull/test/pipeline"} // that do less with it
	for _, path := range all {
		with, without := slices.Contains(raced, path), slices.Contains(rest, path)
		twice := slices.Contains(some, path)
		if !with && !without || (with && without) != twice {
			t.Errorf("%s is in the list with the detector: %v, in that without: %v; want one of them, or both: %v", path, with, without, twice)
		}
	}
	if more := len(raced) + len(rest) - len(all); more != len(some) {
		t.Errorf("lines of both lists beyond one for each package with tests = %d, want %d", more, len(some))
	}
	for _, path := range slow {
		if !slices.Contains(all, path) {
			t.Errorf("%s is in the list slow and has no tests: remove it", path)
		}
	}
	if raced[0] != slow[0] {
		t.Errorf("first package with the detector = %s, want the slowest, %s", raced[0], slow[0])
	}
	for path, alone := range map[string]bool{"lull/hostctl": false, "lull/cmd/lull/help": true, unraced[0]: true} {
		if slices.Contains(raced, path) == alone {
			t.Errorf("%s is in the list with the detector: %v, want %v", path, alone, !alone)
		}
	}
}

// The packages that are tested twice, with and without the race detector, are found by the names of their files that are
// built only with it or only without it. So every such file must have one of these names.
func TestTheDetectorIsKnownByName(t *testing.T) {
	out, err := exec.Command("git", "-C", "../..", "grep", "-lE", "^//go:build .*race", "--", "*.go").Output()
	if err != nil {
		t.Skip("needs git and a clone: ", err)
	}
	for _, path := range strings.Fields(string(out)) {
		if !strings.HasSuffix(path, "/race_on_test.go") && !strings.HasSuffix(path, "/race_off_test.go") {
			t.Errorf("%s is built by the detector: call it race_on_test.go or race_off_test.go", path)
		}
	}
}
