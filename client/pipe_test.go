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
	for _, text := range []string{
		"{name: j, stages: [{name: s, command: x, tasks: 1, env_file: pipe}]}",
		"{name: j, stages: [{name: s, command: x, each: pipe}]}",
	} {
		// A pipe for each document: letGo would return at once while the reader before still had it open,
		// and leave the next reader behind.
		folder := t.TempDir()
		pipe := filepath.Join(folder, "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		doc, err := spec.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		interrupt()
		if err := Count(ctx, doc, folder); !errors.Is(err, context.Canceled) {
			t.Errorf("Count(%s) = %v, want context.Canceled", text, err)
		}
		letGo(t, pipe)
	}
}

// letGo waits for the reader of a pipe that was left behind, and ends its read.
func letGo(t *testing.T, pipe string) {
	f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
