package client_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lull/client"
	"lull/hostctl/lookup"
	"lull/subjects"
	"lull/subjects/spec"
)

// files makes n files of one line in a new folder.
func files(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.txt", i)), []byte("line\n"), 0o644))
	}
	return dir
}

const perFile = "name: scan\nstages:\n  - name: look\n    command: [\"true\"]\n    inputs: [\"*.txt\"]\n"

func TestExpandKeepsFewSplitsInTheDocument(t *testing.T) {
	r, ctx := newRig(t)
	dir := files(t, 3)
	doc := parse(t, perFile)
	must(t, r.Expand(ctx, doc, dir))
	job, err := doc.Job()
	must(t, err)
	st := job.Stages[0]
	if st.Tasks != 3 || len(st.Splits) != 3 || st.List != "" {
		t.Fatalf("stage = %+v, want three splits in the document", st)
	}
	if got := st.Splits[2].Ranges[0]; got.Path != filepath.Join(dir, "00002.txt") || got.Size != 5 || got.Length != 5 || got.MTime == 0 {
		t.Errorf("third file = %+v, want 00002.txt of five bytes", got)
	}
	host, err := os.Hostname()
	must(t, err)
	if job.Origin != host {
		t.Errorf("Origin = %q, want %q", job.Origin, host)
	}
}

func TestExpandPutsManySplitsIntoObjects(t *testing.T) {
	r, ctx := newRig(t)
	const n = spec.ChunkTasks + 5
	dir := files(t, n)
	doc := parse(t, perFile)
	must(t, r.Expand(ctx, doc, dir))
	job, err := doc.Job()
	must(t, err)
	st := job.Stages[0]
	if st.Tasks != n || len(st.Splits) != 0 || st.List == "" {
		t.Fatalf("stage has %d tasks, %d splits, list %q, want %d, 0 and a list", st.Tasks, len(st.Splits), st.List, n)
	}
	if body, err := doc.JSON(); err != nil || len(body) > 1000 {
		t.Errorf("JSON() = %d bytes, %v, want at most 1000", len(body), err)
	}
	var paths []string
	for k := range uint32(2) {
		var chunk spec.Chunk
		body, err := lookup.New(r.bus).Object(ctx, spec.ChunkName(st.List, k))
		must(t, err)
		must(t, subjects.Unmarshal(body, &chunk))
		for _, split := range chunk.Splits {
			paths = append(paths, split.Ranges[0].Path)
		}
	}
	if len(paths) != n || !slices.IsSorted(paths) || paths[n-1] != filepath.Join(dir, fmt.Sprintf("%05d.txt", n-1)) {
		t.Errorf("paths in the objects = %d, the last %s, want %d in order", len(paths), paths[len(paths)-1], n)
	}
}

// TestExpandPutsFewLargeSplitsIntoObjects: three tasks that list a thousand
// files each are no few bytes.
func TestExpandPutsFewLargeSplitsIntoObjects(t *testing.T) {
	r, ctx := newRig(t)
	doc := parse(t, perFile+"    group: 1000\n")
	must(t, r.Expand(ctx, doc, files(t, 2500)))
	job, err := doc.Job()
	must(t, err)
	var chunk spec.Chunk
	body, err := lookup.New(r.bus).Object(ctx, spec.ChunkName(job.Stages[0].List, 0))
	must(t, err)
	must(t, subjects.Unmarshal(body, &chunk))
	if job.Stages[0].Tasks != 3 || len(chunk.Splits) != 3 || len(chunk.Splits[2].Ranges) != 500 {
		t.Errorf("stage has %d tasks, the object %d splits, want 3, 3, the last of 500 files", job.Stages[0].Tasks, len(chunk.Splits))
	}
}

func TestExpandReadsLinesAndResolvesPaths(t *testing.T) {
	r, ctx := newRig(t)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "seeds"), []byte("1\n3\n"), 0o644))
	doc := parse(t, "name: sweep\noutput: out\nstages:\n  - name: run\n    command: [\"true\"]\n    each: seeds\n    dir: sub\n")
	must(t, r.Expand(ctx, doc, dir))
	job, err := doc.Job()
	must(t, err)
	st := job.Stages[0]
	if len(st.Splits) != 2 || st.Splits[1].Param != "3" || job.Output != filepath.Join(dir, "out") || st.Dir != filepath.Join(dir, "sub") {
		t.Errorf("stage = %+v, output %s, want params 1 to 3, folder and output below %s", st, job.Output, dir)
	}
}

// Publishing follows no symbolic link, and a shell's working folder may have one in its path.
func TestARelativeOutputStandsInTheRealFolder(t *testing.T) {
	r, ctx := newRig(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(dir, link))
	for output, want := range map[string]string{"out": dir + "/out", "../out": filepath.Dir(dir) + "/out", link + "/out": link + "/out"} {
		doc := parse(t, "name: one\noutput: "+output+"\nstages:\n  - name: run\n    command: [\"true\"]\n    tasks: 1\n")
		must(t, r.Expand(ctx, doc, link))
		if doc.Output != want {
			t.Errorf("Expand(output: %s, %s).Output = %s, want %s", output, link, doc.Output, want)
		}
	}
}

func TestExpandPointsAtThePatternThatMatchesNothing(t *testing.T) {
	r, ctx := newRig(t)
	err := r.Expand(ctx, parse(t, perFile), t.TempDir())
	var at *spec.Error
	if !errors.As(err, &at) || at.Line != 5 || !strings.Contains(err.Error(), "matches no file") || !strings.Contains(err.Error(), "^") {
		t.Errorf("expand(a pattern without files) = %v, want an error at line 5 with a caret", err)
	}
}

// A split of a few bytes, such as one without its unit, is refused before any split of the file is made.
func TestExpandRefusesTooManySplitsAtOnce(t *testing.T) {
	r, ctx := newRig(t)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "large.txt"), nil, 0o644))
	must(t, os.Truncate(filepath.Join(dir, "large.txt"), 1<<40))
	document := strings.Replace(perFile, "    inputs:", "    split: 1B\n    inputs:", 1)
	for name, expand := range map[string]func(*spec.Doc) error{
		"expand": func(doc *spec.Doc) error { return r.Expand(ctx, doc, dir) },
		"count":  func(doc *spec.Doc) error { return client.Count(ctx, doc, dir) },
	} {
		if err := expand(parse(t, document)); err == nil || !strings.Contains(err.Error(), "more than 10000000 tasks") {
			t.Errorf("%s: expand(a terabyte in splits of a byte) = %v, want an error: more than 10000000 tasks", name, err)
		}
	}
}

// A name or a line that is not UTF-8 reaches the task byte by byte.
func TestExpandKeepsBytesThatAreNotText(t *testing.T) {
	r, ctx := newRig(t)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "caf\xe9.txt"), []byte("line\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "lines"), []byte("caf\xe9\n"), 0o644))
	for document, want := range map[string]spec.Split{
		perFile: {Ranges: []spec.Range{{Path: filepath.Join(dir, "caf\xe9.txt")}}},
		strings.Replace(perFile, "inputs: [\"*.txt\"]", "each: lines", 1): {Param: "caf\xe9"},
	} {
		doc := parse(t, document)
		must(t, r.Expand(ctx, doc, dir))
		body, err := doc.JSON()
		must(t, err)
		job, err := parse(t, string(body)).Job() // as admission reads it
		must(t, err)
		var chunk spec.Chunk
		body, err = lookup.New(r.bus).Object(ctx, spec.ChunkName(job.Stages[0].List, 0))
		must(t, err)
		must(t, subjects.Unmarshal(body, &chunk))
		got := chunk.Splits[0]
		if len(want.Ranges) == 1 && got.Ranges[0].Path != want.Ranges[0].Path || got.Param != want.Param {
			t.Errorf("the task gets %+v, want %+v", got, want)
		}
	}
}
