package spec

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"lull/subjects/wire"
)

const wordcount = `
name: wordcount
queue: nightly
deadline: 10m
output: /out
stages:
  - name: map
    command: tr ' ' '\n' | sort
    env: {LC_ALL: C, DEPTH: 3}
    inputs: [/src/*.go]
    split: 64MB
  - name: reduce
    command: [sort, -m]
    from: {stage: map, by: partition}
    tasks: 4
    where: {disk: ssd}
    memory: 1GiB
    retries: 0
  - name: log
    command: date
    tasks: 1
    after: [reduce]
    timeout: 90s
`

func parse(t *testing.T, text string) *Doc {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func filled(t *testing.T) *Doc {
	d := parse(t, wordcount)
	d.Origin = "laptop"
	d.FillSplits(0, []Split{{Ranges: []Range{{Path: "/src/a.go", Size: 10, MTime: 5, Length: 10}}}, {Ranges: []Range{{Path: "/src/b.go", Size: 4, MTime: 6, Length: 4}}}})
	return d
}

func TestCanonicalForm(t *testing.T) {
	got, err := filled(t).Job()
	if err != nil {
		t.Fatal(err)
	}
	want := Job{
		Name: "wordcount", Type: "wordcount", Queue: "nightly", DeadlineIn: 10 * time.Minute, Output: "/out", Origin: "laptop",
		Stages: []Stage{
			{
				Name: "map", Argv: []string{"sh", "-c", `tr ' ' '\n' | sort`}, Env: []string{"DEPTH=3", "LC_ALL=C"}, Tasks: 2,
				Splits:     []Split{{Ranges: []Range{{Path: "/src/a.go", Size: 10, MTime: 5, Length: 10}}}, {Ranges: []Range{{Path: "/src/b.go", Size: 4, MTime: 6, Length: 4}}}},
				Partitions: 4, CPU: 1, Memory: DefaultMemory, Retries: 3, Backoff: time.Second,
			},
			{
				Name: "reduce", Argv: []string{"sort", "-m"}, Tasks: 4, From: []From{{Stage: 0, Partition: true}},
				CPU: 1, Memory: 1 << 30, Where: []string{"disk=ssd"}, Retries: 0, Backoff: time.Second,
			},
			{Name: "log", Argv: []string{"sh", "-c", "date"}, Tasks: 1, After: []uint32{1}, CPU: 1, Memory: DefaultMemory, Retries: 3, Backoff: time.Second, Timeout: 90 * time.Second},
			{Name: "publish", Tasks: 1, From: []From{{Stage: 1}, {Stage: 2}}, CPU: 1, Memory: publishMemory, Retries: 3, Backoff: time.Second, Publish: true},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Job() =  %+v\nwant %+v", got, want)
	}
}

// TestOneJobInThreeLanguages: YAML, the JSON that is sent, the same indented
// as YAML flow, and msgpack give one Job.
func TestOneJobInThreeLanguages(t *testing.T) {
	d := filled(t)
	want, err := d.Job()
	if err != nil {
		t.Fatal(err)
	}
	text, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	packed, err := wire.Marshal(whole64(plain))
	if err != nil {
		t.Fatal(err)
	}
	pretty, err := json.MarshalIndent(plain, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{"json": text, "indented json": pretty, "msgpack": packed} {
		d, err := ParseWire(body)
		if err != nil {
			t.Errorf("ParseWire(%s) = %v, want no error", name, err)
			continue
		}
		if got, err := d.Job(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v\nwant %+v", name, got, err, want)
		}
	}
}

// whole64 turns JSON's floats into integers, as a msgpack client writes them.
func whole64(v any) any {
	switch v := v.(type) {
	case float64:
		return int64(v)
	case []any:
		for i := range v {
			v[i] = whole64(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = whole64(v[k])
		}
	}
	return v
}

func TestWhatIsLeftToTheClient(t *testing.T) {
	d := parse(t, `
name: j
stages:
  - {name: a, command: x, inputs: "*.c", group: 3}
  - {name: b, command: x, each: params.txt}
  - {name: c, command: x, each: [1, two]}
  - {name: d, command: x, tasks: 2}
`)
	want := []Need{
		{Stage: 0, Path: "stages[0].inputs", Inputs: []string{"*.c"}, Group: 3},
		{Stage: 1, Path: "stages[1].each", Each: "params.txt"},
		{Stage: 2, Path: "stages[2].each", Lines: []string{"1", "two"}},
	}
	if got := d.Needs(); !reflect.DeepEqual(got, want) {
		t.Errorf("Needs() = %+v\nwant %+v", got, want)
	}
	if _, err := d.Job(); err == nil || !strings.Contains(err.Error(), "lull submit") {
		t.Errorf("Job() with globs in it = %v, want an error that advises lull submit", err)
	}
	d.FillList(0, 100_000, 64, "jobs/1/a")
	if _, err := d.Job(); err == nil || !strings.Contains(err.Error(), "line 5, column 33") {
		t.Errorf("Job() with a parameter file in it = %v, want an error at line 5, column 33", err)
	}
	d.FillSplits(1, []Split{{Param: "p"}})
	j, err := d.Job()
	if err != nil {
		t.Fatal(err)
	}
	if a := j.Stages[0]; a.Tasks != 100_000 || a.List != "jobs/1/a" || a.Chunk != 64 {
		t.Errorf("stage 0 = %+v, want 100000 tasks in chunks of 64, listed at jobs/1/a", a)
	}
	if c := j.Stages[2]; c.Tasks != 2 || !reflect.DeepEqual(c.Splits, []Split{{Param: "1"}, {Param: "two"}}) {
		t.Errorf("stage 2 = %+v, want two tasks, 1 and two", c)
	}
	if err := d.Errorf("stages[0].inputs", "%q matches nothing", "*.c"); !strings.HasPrefix(err.Error(), "line 4, column 35: stages[0].inputs:") {
		t.Errorf("Errorf(stages[0].inputs) = %v, want it at line 4, column 35", err)
	}
}

func TestSubstitute(t *testing.T) {
	const text = `
name: j
output: ${OUT}/x
stages:
  - {name: a, command: "echo ${HOME}", env: {A: "${HOME}"}, dir: "${OUT}", inputs: ["${OUT}/*", "$b"]}
  - {name: b, command: x, each: "${OUT}/p", env_file: "${OUT}/e"}
`
	d := parse(t, text)
	lookup := func(name string) (string, bool) { return "/o", name == "OUT" }
	if err := d.Substitute(lookup); err != nil {
		t.Fatal(err)
	}
	a := d.Stages[0]
	got := []string{d.Output, a.Dir, a.Inputs[0], a.Inputs[1], d.Stages[1].Each.File, d.Stages[1].EnvFile[0], a.Command[2], a.Env["A"]}
	if want := []string{"/o/x", "/o", "/o/*", "$b", "/o/p", "/o/e", "echo ${HOME}", "${HOME}"}; !reflect.DeepEqual(got, want) {
		t.Errorf("paths of the document = %q, want %q", got, want)
	}
	for _, bad := range []string{"${NOPE}", "${OUT", "${}", "${a b}"} {
		d := parse(t, strings.Replace(text, `"$b"`, `"`+bad+`"`, 1))
		err := d.Substitute(lookup)
		var e *Error
		if !errors.As(err, &e) || e.Path != "stages[0].inputs[1]" || e.Line != 5 || e.Column != 97 {
			t.Errorf("Parse(%s) = %v, want an error of stages[0].inputs[1] at line 5, column 97", bad, err)
		}
	}
}

func TestDeadlines(t *testing.T) {
	for text, want := range map[string][2]int64{
		"10m":                       {int64(10 * time.Minute), 0},
		"2026-12-01T06:00:00Z":      {0, 1_796_104_800_000_000_000},
		"2026-12-01T07:00:00+01:00": {0, 1_796_104_800_000_000_000},
		`"1h30m"`:                   {int64(90 * time.Minute), 0},
	} {
		j, err := parse(t, "name: j\ndeadline: "+text+"\nstages: [{name: a, command: x, tasks: 1}]").Job()
		if got := [2]int64{int64(j.DeadlineIn), j.DeadlineAt}; err != nil || got != want {
			t.Errorf("deadline %s = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"25:00", "06:00 Nowhere/Atall", "-5m", "0s", "tomorrow", "10", "1900-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "99999h"} {
		if _, err := Parse([]byte("name: j\ndeadline: \"" + text + "\"\nstages: [{name: a, command: x, tasks: 1}]")); err == nil {
			t.Errorf("Parse(deadline: %s) succeeded, want an error", text)
		}
	}
}

func TestATimeOfDayIsTheNextOne(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("needs the database of time zones")
	}
	now := time.Date(2026, 3, 28, 14, 30, 0, 0, berlin) // the night that is an hour short follows
	for text, want := range map[string]string{
		"06:00":                  "2026-03-29T06:00:00+02:00",
		"14:31":                  "2026-03-28T14:31:00+01:00",
		"14:30":                  "2026-03-29T14:30:00+02:00",
		"06:00 UTC":              "2026-03-29T06:00:00Z",
		"09:45 America/New_York": "2026-03-28T09:45:00-04:00",
		"10m":                    "10m",
	} {
		for _, form := range []string{"deadline: " + text, "deadline: {at: \"" + text + "\", late: run}"} {
			d := parse(t, "name: j\n"+form+"\nstages: [{name: a, command: x, tasks: 1}]")
			if text != "10m" {
				if _, err := d.Job(); err == nil {
					t.Errorf("Job() of %q before its time of day is pinned succeeded, want an error", form)
				}
			}
			d.Fix(now)
			j, err := d.Job()
			if d.Deadline != want || err != nil || j.Late == (form == "deadline: "+text) {
				t.Errorf("%s: deadline %s, late %v, %v, want deadline %s, late %v", form, d.Deadline, j.Late, err, want, form != "deadline: "+text)
			}
		}
	}
}

func TestLines(t *testing.T) {
	for line, want := range map[string]string{"a b\r\n": "a b", " x": " x", "a # b": "a # b", "": "", "\n": "", "  \r\n": "  ", "# a": "# a", "a\r": "a"} {
		if got := Line(line); got != want {
			t.Errorf("Line(%q) = %q, want %q", line, got, want)
		}
	}
}

// TestEscapesOfJSON: other languages' writers escape what Go's does not.
func TestEscapesOfJSON(t *testing.T) {
	const text = `{"name":"j","stages":[{"name":"a","tasks":1,"command":["\u0065cho","\ud83d\ude00","a\/b","\"\\\t\n","\u00e9","`
	long := strings.Repeat("key ", 500)
	j, err := parse(t, text+long+`"]}]}`).Job()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"echo", "😀", "a/b", "\"\\\t\n", "é", long}; !reflect.DeepEqual(j.Stages[0].Argv, want) {
		t.Errorf("Argv = %q, want %q", j.Stages[0].Argv, want)
	}
}
