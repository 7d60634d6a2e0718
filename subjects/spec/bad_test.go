package spec

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestBadDocuments reads as prose: each document in testdata/bad and, beside it, the message to its
// author.
func TestBadDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) < 40 {
		t.Fatalf("testdata/bad has %d documents, %v, want at least 40", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { bad(t, file) })
	}
}

func bad(t *testing.T, file string) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse(source)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("Parse(%s) = %v, want an *Error", file, err)
	}
	got := e.Error() + "\n"
	golden := strings.TrimSuffix(file, ".yaml") + ".golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
