package spec

import (
	"reflect"
	"strings"
	"testing"
)

func TestWhatFollowsFromExitStatusesIsReadAndWritten(t *testing.T) {
	j := jobOf(t, []byte("name: x\ndefaults: {on_exit: {3: fail}}\nstages:\n- {name: a, command: ./run, on_exit: {75: again, 42: fail, \"1\": done}}\n- {name: b, command: ./run}\n"))
	if want := []Exit{{1, ExitDone}, {42, ExitFail}, {75, ExitAgain}}; !reflect.DeepEqual(j.Stages[0].OnExit, want) {
		t.Errorf("on_exit = %v, want %v", j.Stages[0].OnExit, want)
	}
	for status, want := range map[int]string{1: ExitDone, 42: ExitFail, 75: ExitAgain, 3: "", 2: ""} {
		if got := AfterExit(&j.Stages[0], status); got != want {
			t.Errorf("AfterExit(%d) = %q, want %q", status, got, want)
		}
	}
	if got := AfterExit(&j.Stages[1], 3); got != ExitFail {
		t.Errorf("AfterExit(3) of a stage with the default = %q, want fail", got)
	}
	d, err := Document(&j)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if again := jobOf(t, b); !reflect.DeepEqual(again, j) {
		t.Errorf("the recovered document gives %+v, want %+v", again, j)
	}
}

func TestMistakesInOnExitAreNamed(t *testing.T) {
	for value, want := range map[string]string{
		"{0: fail}":                `stages[0].on_exit: "0" is no exit status of a failure: write a number from 1 to 255`,
		"{256: fail}":              `"256" is no exit status`,
		"{-9: fail}":               `"-9" is no exit status`,
		"{oom: fail}":              `"oom" is no exit status`,
		"{42: retry}":              `stages[0].on_exit.42: "retry" is not what can follow from an exit status: write fail, again or done`,
		"{42: fail, \"42\": done}": "it is given twice",
		"{042: fail, 42: done}":    "it is given twice",
		"[42]":                     "expected a map of exit statuses, such as {42: fail, 75: again}",
		"{42: }":                   "expected text, found nothing",
	} {
		_, err := Parse([]byte("name: x\nstages:\n- name: a\n  command: \"true\"\n  on_exit: " + value + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("on_exit: %s: %v, want %q", value, err, want)
		}
	}
}
