package inputs

import (
	"os"
	"testing"

	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// folder is an attempt's folder that has been made.
func folder(t *testing.T) store.Folder {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	f := s.Folder(store.Task{Job: "job"}, 1)
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestStdinLeavesOutEmptyRanges(t *testing.T) {
	in := Input{Ranges: []spec.Range{{Path: "/a", Length: 2}, {Path: "/b"}, {Path: "/c", Length: 3}}}
	stdin, err := in.Stdin(folder(t))
	if err != nil || stdin.List != "" || len(stdin.Ranges) != 2 || in.Bytes() != 5 {
		t.Errorf("%+v of %d bytes (%v), want two ranges of 5 bytes", stdin, in.Bytes(), err)
	}
}

// A message to the shim would be too long.
func TestManyRangesAreWrittenToAFile(t *testing.T) {
	in := Input{Ranges: make([]spec.Range, manyRanges+1)}
	for i := range in.Ranges {
		in.Ranges[i].Length = 1
	}
	stdin, err := in.Stdin(folder(t))
	if err != nil || len(stdin.Ranges) > 0 {
		t.Fatalf("ranges in the message = %d (%v), want 0", len(stdin.Ranges), err)
	}
	b, err := os.ReadFile(stdin.List)
	if err != nil {
		t.Fatal(err)
	}
	var ranges []spec.Range
	if err := subjects.Unmarshal(b, &ranges); err != nil || len(ranges) != manyRanges+1 {
		t.Errorf("ranges in the file = %d (%v), want %d", len(ranges), err, manyRanges+1)
	}
}

func TestTheListHasOnePathALine(t *testing.T) {
	f := folder(t)
	if path, err := (Input{}).WriteList(f); path != "" || err != nil {
		t.Errorf("WriteList without input = %q, %v, want none", path, err)
	}
	path, err := Input{Ranges: []spec.Range{{Path: "/a"}, {Path: "/b"}}}.WriteList(f)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); string(b) != "/a\n/b\n" {
		t.Errorf("WriteList = %q, %v, want /a and /b", b, err)
	}
}

func TestAFileOfAURLKeepsItsName(t *testing.T) {
	for raw, want := range map[string]string{
		"http://h/dir/words.txt?x=1": "words.txt", "http://h": "input", "http://h/": "input", "http://h/..": "input", "http://h/%zz": "input",
	} {
		if got := baseOf(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
