package main

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/prometheus/procfs"

	"lull/test/steal"
)

// start runs a command until the test ends, with a variable more, and returns the id of a child that it prints.
func start(t *testing.T, variable string) (id int) {
	t.Helper()
	// The child has an environment of its own, as a task has.
	cmd := exec.Command("sh", "-c", "env -i sleep 1000 & echo $!; wait")
	cmd.Env = append(os.Environ(), variable)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fscan(out, &id); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if child, err := os.FindProcess(id); err == nil {
			_ = child.Kill()
		}
		_ = cmd.Wait()
	})
	return id
}

// What the tests start is known by its mark, or by its parent's.
func TestStrangersAreProcessesWithoutTheMark(t *testing.T) {
	ours, theirs := start(t, "MARK=1"), start(t, "MARK=2")
	stat := func(id int) process {
		p, err := procfs.NewProc(id)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Stat()
		if err != nil {
			t.Fatal(err)
		}
		return process{id, s.Starttime}
	}
	const nobody = 0 // both descend from this process, which would make them its own
	found, err := strangers(nobody, "MARK=1")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := found[stat(ours)]; ok {
		t.Error("a child of a process with the mark is a stranger, want it to be of the tests")
	}
	if _, ok := found[stat(theirs)]; !ok {
		t.Error("a child of a process with another mark is of the tests, want a stranger")
	}
}

func TestOthersAreWhatGrew(t *testing.T) {
	old, young, ended := process{1, 5}, process{1, 9}, process{2, 5}
	before := reading{steal.Ticks{All: 1000, Stolen: 10}, map[process]uint64{old: 500, ended: 70}}
	after := reading{steal.Ticks{All: 1256, Stolen: 26}, map[process]uint64{old: 524, young: 40}}
	if got, want := after.othersSince(before), 0.0625+0.25; got != want {
		t.Errorf("othersSince() = %v, want %v: of 256 ticks 16 were stolen, 24 went to an old process and 40 to a new one", got, want)
	}
	if got := before.othersSince(before); got != 0 {
		t.Errorf("othersSince(the same reading) = %v, want 0", got)
	}
}
