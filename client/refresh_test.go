package client

import (
	"reflect"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

func TestRepinnedTasks(t *testing.T) {
	whole := func(path string) spec.Range { return spec.Range{Path: path, Size: 10, Length: 10, MTime: 1} }
	splits := []spec.Split{
		{Ranges: []spec.Range{whole("a"), whole("b")}},
		{Ranges: []spec.Range{whole("c")}},
		{Ranges: []spec.Range{whole("d")}},
		{Ranges: []spec.Range{whole("e")}},
	}
	now := map[string]spec.File{}
	for _, path := range []string{"a", "c", "d"} {
		now[path] = spec.File{Path: path, Size: 12, MTime: 2, Tag: "t", Unended: true}
	}
	tasks, paths, err := repin(splits, now)
	if want := []subjects.Span{{First: 0, Count: 3}}; err != nil || !reflect.DeepEqual(tasks, want) || strings.Join(paths, "") != "acd" {
		t.Fatalf("repin = tasks %v for %q, %v, want %v", tasks, paths, err, want)
	}
	// The tasks share files by size, so the last line of a stays apart from the first of b.
	if got, want := splits[0].Ranges[0], (spec.Range{Path: "a", Size: 12, Length: 12, MTime: 2, Tag: "t", Ends: true}); got != want {
		t.Errorf("a is pinned as %+v, want %+v", got, want)
	}
	if splits[0].Ranges[1] != whole("b") || splits[3].Ranges[0] != whole("e") || splits[1].Ranges[0].Ends {
		t.Errorf("splits = %+v, want b and e as they were, and no line end behind c", splits)
	}
	part := []spec.Split{{Ranges: []spec.Range{{Path: "a", Size: 10, Length: 5}}}, {Ranges: []spec.Range{{Path: "a", Size: 10, Offset: 5, Length: 5}}}}
	if _, _, err := repin(part, now); err == nil || !strings.Contains(err.Error(), "new job") {
		t.Errorf("repin of a file in parts = %v, want an error that says what to do", err)
	}
}
