package spec

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLabels(t *testing.T) {
	whole := func(path string) Range { return Range{Path: path, Size: 9, Length: 9} }
	plain := &Stage{Name: "s", Tasks: 9}
	for _, c := range []struct {
		stage *Stage
		split Split
		want  string
	}{
		{plain, Split{}, ""},
		{plain, Split{Param: "7 -x"}, "7 -x"},
		{plain, Split{Ranges: []Range{whole("/in/f137.json")}}, "/in/f137.json"},
		{plain, Split{Ranges: []Range{whole("/in/a"), whole("/in/b"), whole("/in/c")}}, "/in/a and 2 more"},
		{plain, Split{Ranges: []Range{{Path: "/in/a", Size: 9, Length: 4}}}, "/in/a from byte 0"},
		{plain, Split{Ranges: []Range{{Path: "/in/a", Size: 9, Length: 2}, {Path: "/in/a", Size: 9, Offset: 5, Length: 4}}}, "/in/a from byte 5"},
		{&Stage{Vars: []string{"lr", "seed"}}, Split{Vars: []string{"0.1", "3"}, Param: "lr=0.1 seed=3"}, "lr=0.1 seed=3"},
		{&Stage{From: []From{{Stage: 0, Partition: true}}}, Split{}, "partition 3"},
		{&Stage{From: []From{{Stage: 0}}}, Split{}, ""},
		{&Stage{Publish: true, From: []From{{Partition: true}}}, Split{}, ""},
		{plain, Split{Param: "a\tb\nc\x1b[31m\u202e\xff"}, "a b c�[31m��"},
	} {
		if got := c.stage.Label(3, &c.split); got != c.want {
			t.Errorf("Label(%+v) = %q, want %q", c.split, got, c.want)
		}
	}
}

func TestLabelsAreBounded(t *testing.T) {
	long := strings.Repeat("ü\x07", 10_000)
	for _, split := range []Split{
		{Param: long}, {Ranges: []Range{{Path: "/" + long + "/f137.json"}}}, {Vars: []string{long}},
		{Ranges: []Range{{Path: "/" + long, Size: 1 << 62, Offset: 1 << 61, Length: 1}}},
	} {
		label := (&Stage{Vars: []string{"x"}}).Label(0, &split)
		if n := utf8.RuneCountInString(label); n == 0 || n > MaxLabel || strings.ContainsFunc(label, unicode.IsControl) {
			t.Errorf("label of %d characters %q, want 1 to %d that can be printed", n, label, MaxLabel)
		}
	}
	path := Split{Ranges: []Range{{Path: "/" + long + "/f137.json"}}}
	if label := new(Stage).Label(0, &path); !strings.HasSuffix(label, "/f137.json") || !strings.HasPrefix(label, "…") {
		t.Errorf("label of a long path = %q, want its end", label)
	}
}

// What the job itself lists has a label without any look at lists beside it.
func TestLabelsOfAJob(t *testing.T) {
	job := &Job{Stages: []Stage{{Splits: []Split{{Param: "a"}, {Param: "b"}}}, {List: "sha256-x", Tasks: 9000}}}
	for _, c := range []struct {
		stage, task uint32
		want        string
	}{{0, 1, "b"}, {0, 2, ""}, {1, 7, ""}, {2, 0, ""}} {
		if got := LabelOf(job, c.stage, c.task); got != c.want {
			t.Errorf("LabelOf(job, %d, %d) = %q, want %q", c.stage, c.task, got, c.want)
		}
	}
}
