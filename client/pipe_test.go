package client

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"lull/subjects/spec"
)

// TestPipesWithoutAWriterAreGivenUp: opening a named pipe waits for its writer, and no interrupt ends that.
func TestPipesWithoutAWriterAreGivenUp(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
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
		ctx, interrupt := context.WithCancel(t.Context())
		interrupt()
		if err := Count(ctx, doc, folder); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that it was interrupted", text, err)
		}
		letGo(t, pipe)
	}
}

// letGo ends the read of a pipe that was left behind.
func letGo(t *testing.T, pipe string) {
	f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
