package publish

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o444); err != nil {
		t.Fatal(err)
	}
}

// tree lists the files below a folder with their texts.
func tree(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		b.WriteString(path[len(root)+1:] + "=" + string(text) + " ")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", "")
}

const want = "count/.lull=job count/00000/a=1 count/00001/d/b=2"

func source(t *testing.T) string {
	dir := t.TempDir()
	put(t, dir+"/00000/a", "1")
	put(t, dir+"/00001/d/b", "2")
	return dir
}

// Whatever an earlier attempt left when its machine died, the next one's
// result is the same.
func TestPublishingAgainGivesTheSame(t *testing.T) {
	for name, left := range map[string]func(output string){
		"nothing":               func(string) {},
		"half a new folder":     func(o string) { put(t, o+"/.lull-new-count/00000/a", "half") },
		"the old one set aside": func(o string) { put(t, o+"/.lull-old-count/.lull", "before") },
		"an earlier run": func(o string) {
			put(t, o+"/count/.lull", "before")
			put(t, o+"/count/00007/gone", "x")
		},
		"all of it": func(o string) {
			if err := Stage(t.Context(), source(t), o, "count", "job"); err != nil {
				t.Fatal(err)
			}
		},
		"an empty folder": func(o string) {
			if err := os.MkdirAll(o+"/count", 0o755); err != nil {
				t.Fatal(err)
			}
		},
	} {
		output := t.TempDir() + "/results"
		left(output)
		if err := Stage(t.Context(), source(t), output, "count", "job"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := tree(t, output); got != want {
			t.Errorf("%s: published %s, want %s", name, got, want)
		}
	}
}

func TestForeignFoldersAreLeftAlone(t *testing.T) {
	output := t.TempDir()
	put(t, output+"/count/mine", "x")
	err := Stage(t.Context(), source(t), output, "count", "job")
	if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), output+"/count") {
		t.Errorf("error %v, want ErrForeign with the path", err)
	}
	if got := tree(t, output); got != "count/mine=x" {
		t.Errorf("left %s", got)
	}
}

func TestAnInterruptedAttemptLeavesTheOldResults(t *testing.T) {
	output := t.TempDir()
	put(t, output+"/count/.lull", "before")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Stage(ctx, source(t), output, "count", "job"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := tree(t, output); got != "count/.lull=before" {
		t.Errorf("left %s", got)
	}
}

func TestPublishedFilesMayBeChanged(t *testing.T) {
	output := t.TempDir()
	from := source(t)
	if err := Stage(t.Context(), from, output, "count", "job"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(output + "/count/00000/a")
	if err != nil || info.Mode().Perm()&0o200 == 0 {
		t.Errorf("mode %v (%v)", info.Mode(), err)
	}
	if err := os.WriteFile(output+"/count/00000/a", []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(from + "/00000/a"); string(b) != "1" {
		t.Error("changing the result changed what other tasks read")
	}
}
