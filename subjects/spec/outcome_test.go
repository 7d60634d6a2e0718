package spec

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestOutcomesOfStages(t *testing.T) {
	const text = `
name: j
defaults: {allow_failure: true}
stages:
  - {name: a, command: x, tasks: 200, max_failures: 2.5%, fail_fast: false, allow_failure: false}
  - {name: b, command: x, tasks: 3, max_failures: 9}
  - {name: c, command: x, after: [a], when: success}
  - {name: d, command: x, after: a, when: failure}
  - {name: e, command: x, from: b, when: always}
`
	want := []Outcome{
		{MaxFailures: 5, KeepGoing: true}, {MaxFailures: 3, AllowFailure: true}, {AllowFailure: true},
		{When: WhenFailure, AllowFailure: true}, {When: WhenAlways, AllowFailure: true},
	}
	d := parse(t, text)
	sent, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Doc{d, parse(t, string(sent))} { // as written, and as sent
		j, err := d.Job()
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got := j.Stages[i].Outcome; got != want[i] {
				t.Errorf("stage %s: %+v, want %+v", j.Stages[i].Name, got, want[i])
			}
		}
		if !j.Conditional() {
			t.Error("Conditional() = false of a job with outcomes, want true")
		}
	}
}

func TestACommandAloneIsOneTask(t *testing.T) {
	j, err := parse(t, "name: j\nstages: [{name: a, command: x}]").Job()
	if err != nil || j.Stages[0].Tasks != 1 {
		t.Errorf("Job() without after: = %+v, %v, want one task", j.Stages, err)
	}
}

func TestWrongOutcomesAreRefused(t *testing.T) {
	for stage, want := range map[string]string{
		"after: [a], when: sometimes":       "write success, failure or always",
		"tasks: 1, when: failure":           "name stages in after",
		"tasks: 1, max_failures: -1":        "out of bounds",
		"tasks: 1, max_failures: 0%":        "write 3 or 5%",
		"tasks: 1, max_failures: x":         "write 3 or 5%",
		"tasks: 1, max_failures: []":        "a number of tasks, or a share",
		"tasks: 1, fail_fast: maybe":        "true or false",
		"tasks: 1, continue-on-error: true": `did you mean "allow_failure"`,
	} {
		d, err := Parse([]byte("name: j\nstages:\n  - {name: a, command: x, tasks: 1}\n  - {name: b, command: x, " + stage + "}"))
		if err == nil {
			_, err = d.Job()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", stage, err, want)
		}
	}
}
