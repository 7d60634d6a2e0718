package client

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lull/subjects/spec"
)

// A named pipe would make a client wait for its writer, and no interrupt ends that.
func TestNamedPipesAreRefused(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"{name: j, stages: [{name: s, command: x, tasks: 1, env_file: pipe}]}",
		"{name: j, stages: [{name: s, command: x, each: pipe}]}",
	} {
		doc, err := spec.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := Count(t.Context(), doc, folder); err == nil || !strings.Contains(err.Error(), "pipe is no regular file") {
			t.Errorf("Count(%s) = %v, want the pipe refused", text, err)
		}
	}
}
