package spec

import (
	"reflect"
	"strings"
	"testing"
)

// asSent parses a document, sends it, and returns the Job that admission makes of it.
func asSent(t *testing.T, text string) Job {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	body, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if d, err = ParseWire(body); err != nil {
		t.Fatal(err)
	}
	j, err := d.Job()
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Validate(); err != nil {
		t.Fatal(err)
	}
	return j
}

func TestAMatrixMakesATaskACombination(t *testing.T) {
	j := asSent(t, `{name: j, stages: [{name: a, command: x, matrix: {rate: [0.1, 0.2], seed: 1..3, exclude: [{rate: 0.1, seed: 2}, {seed: 3}]}}]}`)
	s := j.Stages[0]
	want := []Split{
		{Vars: []string{"0.1", "1"}, Param: "rate=0.1 seed=1"},
		{Vars: []string{"0.2", "1"}, Param: "rate=0.2 seed=1"},
		{Vars: []string{"0.2", "2"}, Param: "rate=0.2 seed=2"},
	}
	if !reflect.DeepEqual(s.Splits, want) || s.Tasks != 3 || !reflect.DeepEqual(s.Vars, []string{"rate", "seed"}) || !j.PerTask() {
		t.Errorf("%d tasks with %v of %v, want %v", s.Tasks, s.Splits, s.Vars, want)
	}
}

func TestARangeIsAListOfNumbers(t *testing.T) {
	s := asSent(t, `{name: j, stages: [{name: a, command: x, each: 8..12}]}`).Stages[0]
	if s.Tasks != 5 || s.Splits[0].Param != "8" || s.Splits[4].Param != "12" {
		t.Errorf("each: 8..12 = %d tasks, %v, want 5 from 8 to 12", s.Tasks, s.Splits)
	}
}

// TestARangeKeepsItsZeros: scripts make names of files of the numbers. The results are those of bash's {08..11}.
func TestARangeKeepsItsZeros(t *testing.T) {
	for text, want := range map[string]string{
		"08..11": "08 09 10 11", "0009..11": "0009 0010 0011", "9..0011": "0009 0010 0011", "0..2": "0 1 2", "-01..1": "-01 000 001", "00..01": "00 01",
	} {
		s := asSent(t, `{name: j, stages: [{name: a, command: x, each: "`+text+`"}]}`).Stages[0]
		var got []string
		for _, split := range s.Splits {
			got = append(got, split.Param)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("each: %s = %q, want %s", text, got, want)
		}
	}
}

// TestRangesEndAtTheLargestNumber: counting beyond it would begin anew at the smallest one, for ever.
func TestRangesEndAtTheLargestNumber(t *testing.T) {
	s := asSent(t, `{name: j, stages: [{name: a, command: x, each: 9223372036854775806..9223372036854775807}, {name: b, command: x, matrix: {n: "-9223372036854775808..-9223372036854775807"}}]}`).Stages
	if got := s[0].Splits; len(got) != 2 || got[0].Param != "9223372036854775806" || got[1].Param != "9223372036854775807" {
		t.Errorf("each: over the two largest integers = %v, want both", got)
	}
	if got := s[1].Splits; len(got) != 2 || got[0].Param != "n=-9223372036854775808" || got[1].Param != "n=-9223372036854775807" {
		t.Errorf("matrix: over the two smallest integers = %v, want both", got)
	}
}

// A few bytes may not stand for more than a service can hold.
func TestAllRangesOfADocumentAreBoundedTogether(t *testing.T) {
	stage := "{name: s%, command: x, each: 1..60000},"
	one := strings.Replace(stage, "%", "1", 1)
	if _, err := Parse([]byte("{name: j, stages: [" + one + "]}")); err != nil {
		t.Error(err)
	}
	if _, err := Parse([]byte("{name: j, stages: [" + one + strings.Replace(stage, "%", "2", 1) + "]}")); err == nil {
		t.Error("Parse(120,000 items) succeeded, want an error")
	}
}

// Each combination has a copy of its values: 1 MB of document would be gigabytes.
func TestTheBytesOfAMatrixAreBounded(t *testing.T) {
	long := strings.Repeat("x", 500_000)
	_, err := Parse([]byte("{name: j, stages: [{name: a, command: x, matrix: {long: [" + long + "], n: 1..9000}}]}"))
	if err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("Parse(items of too many bytes) = %.200v, want an error that says bytes", err)
	}
}

func TestStagesInheritDefaultsTheyDoNotSet(t *testing.T) {
	j := asSent(t, `{name: j, defaults: {env: {A: "1", B: "2"}, cpu: 2, memory: 1GB, retries: 0, timeout: 5m, where: {disk: ssd}},
  stages: [{name: a, command: x, tasks: 1}, {name: b, command: x, tasks: 1, env: {B: "3"}, cpu: 1, retries: 4, timeout: 1m}]}`)
	a, b := j.Stages[0], j.Stages[1]
	if strings.Join(a.Env, " ") != "A=1 B=2" || a.CPU != 2 || a.Memory != 1e9 || a.Retries != 0 || a.Timeout.Minutes() != 5 || a.Where[0] != "disk=ssd" {
		t.Errorf("stage 0 = %+v, want the defaults except for cpu 2 and retries 0", a)
	}
	if strings.Join(b.Env, " ") != "A=1 B=3" || b.CPU != 1 || b.Memory != 1e9 || b.Retries != 4 || b.Timeout.Minutes() != 1 {
		t.Errorf("stage 1 = %+v, want the defaults except for B=3 and timeout 1m", b)
	}
}
