package spec

import (
	"reflect"
	"testing"
	"time"
)

func TestEndingsAreReadAndWritten(t *testing.T) {
	const source = `
name: x
defaults: {grace: 30s, timeout: 1h}
stages:
  - {name: a, command: ./run}
  - {name: b, command: ./run, grace: 1m, warn: {before: 2m, signal: sigusr2}}
  - {name: c, command: ./run, warn: {before: 90s}}
`
	want := []Ending{
		{Grace: 30 * time.Second},
		{Grace: time.Minute, WarnBefore: 2 * time.Minute, WarnSignal: "USR2"},
		{Grace: 30 * time.Second, WarnBefore: 90 * time.Second, WarnSignal: "USR1"},
	}
	j := jobOf(t, []byte(source))
	for i, s := range j.Stages {
		if s.Ending != want[i] {
			t.Errorf("stage %s ends as %+v, want %+v", s.Name, s.Ending, want[i])
		}
	}
	if !EndsOwnWay(&j) || j.Stages[1].Warning() != 12 || j.Stages[2].Warning() != 10 || j.Stages[0].Warning() != 0 {
		t.Errorf("signals = %d, %d, %d, want 0, 12, 10", j.Stages[0].Warning(), j.Stages[1].Warning(), j.Stages[2].Warning())
	}
	d, err := Document(&j)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if again := jobOf(t, b); !reflect.DeepEqual(again.Stages, j.Stages) {
		t.Errorf("stages of the recovered document = %+v, want %+v", again.Stages, j.Stages)
	}
}

func jobOf(t *testing.T, source []byte) Job {
	t.Helper()
	d, err := Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	j, err := d.Job()
	if err != nil {
		t.Fatal(err)
	}
	return j
}
