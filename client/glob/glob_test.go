package glob

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// tree makes files, and links to the targets that are named.
func tree(t *testing.T, files []string, links map[string]string) (base string) {
	t.Helper()
	base = t.TempDir()
	for _, name := range files {
		path := filepath.Join(base, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
	}
	return base
}

func walk(ctx context.Context, base, pattern string) (found []string, err error) {
	err = Walk(ctx, base, pattern, func(path string, entry fs.DirEntry) error {
		if !entry.IsDir() {
			found = append(found, path)
		}
		return nil
	})
	slices.Sort(found)
	return found, err
}

func TestAFileIsMetOnceAndNoWalkGoesRound(t *testing.T) {
	base := tree(t, []string{"v1/x", "v1/deep/y", "v2/x"}, map[string]string{
		"latest": "v2", "self": ".", "also": ".", "v1/up": "..", "v1/deep/v2": "../../v2", "v2/v1": "../v1", "broken": "nothing", "round": "round",
	})
	for pattern, want := range map[string][]string{
		"**/x":     {"v1/x", "v2/x"},
		"**/[xy]":  {"v1/deep/y", "v1/x", "v2/x"},
		"*/x":      {"latest/x", "v1/x", "v2/x"}, // each name was asked for
		"latest/?": {"latest/x"},                 // the pattern matches no other name
		"l*/x":     {"latest/x"},
		"v[2]/*/x": {"v2/v1/x"},
	} {
		got, err := walk(t.Context(), base, pattern)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Walk(%q) = %q, %v, want %q", pattern, got, err, want)
		}
	}
}

func TestFoldersBehindLinksThatLeadOutAreWalked(t *testing.T) {
	out := tree(t, []string{"a/x"}, nil)
	base := tree(t, []string{"b/x"}, map[string]string{"out": out})
	got, err := walk(t.Context(), base, "**/x")
	if want := []string{"b/x", "out/a/x"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Walk() = %q, %v, want %q", got, err, want)
	}
}

func TestAWalkEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := walk(ctx, tree(t, []string{"a/x"}, nil), "**/x"); !errors.Is(err, context.Canceled) {
		t.Errorf("Walk() = %v, want context.Canceled", err)
	}
}
