package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lull/subjects/manifest"
)

// kinds is an output with all that can be kept.
func kinds(t *testing.T, out string) {
	t.Helper()
	put(t, out+"/v1/data", "text")
	put(t, out+"/mode", "text")
	if err := errors.Join(
		os.Symlink("v1", out+"/latest"), os.Symlink("../mode", out+"/v1/up"), os.Symlink("nothing", out+"/dangling"),
		os.MkdirAll(out+"/empty/below", 0o755), os.Chmod(out+"/mode", 0), os.Mkdir(out+"/locked", 0), os.Mkdir(out+"/readonly", 0o555),
	); err != nil {
		t.Fatal(err)
	}
}

func TestLinksAndEmptyFoldersAreCommitted(t *testing.T) {
	f := made(t, open(t), 0, 1)
	kinds(t, f.Out())
	m, digest, err := f.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range m.Files {
		switch {
		case e.Folder:
			all = append(all, e.Path+"/")
		default:
			all = append(all, e.Path+e.Link)
		}
	}
	if want := []string{"danglingnothing", "empty/below/", "latestv1", "locked/", "mode", "readonly/", "v1/data", "v1/up../mode"}; !slices.Equal(all, want) {
		t.Errorf("the manifest has %q, want %q", all, want)
	}
	if listed, err := f.Output().Listed(digest); err != nil || len(listed.Files) != len(m.Files) {
		t.Errorf("Listed() = %+v, %v, want what was committed", listed, err)
	}
	if _, again, err := f.Commit(t.Context()); err != nil || again != digest {
		t.Errorf("committed again: %x, %v, want %x", again, err, digest)
	}
	if err := f.store.Verify(t.Context(), Task{Job: "job", Stage: 1}, 1, digest); err != nil {
		t.Error(err)
	}
	if gone, err := f.store.Gone(Task{Job: "job", Stage: 1}, 1, digest); gone || err != nil {
		t.Errorf("Gone() = %v, %v, want false", gone, err)
	}
}

func TestALinkThatChangedIsDamage(t *testing.T) {
	f := made(t, open(t), 0, 1)
	kinds(t, f.Out())
	_, digest, err := f.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(f.Out(), "latest")
	if err := errors.Join(os.Remove(at), os.Symlink("/etc", at)); err != nil {
		t.Fatal(err)
	}
	if err := f.store.Verify(t.Context(), Task{Job: "job", Stage: 1}, 1, digest); !errors.Is(err, manifest.ErrDamaged) {
		t.Errorf("Verify() = %v, want ErrDamaged", err)
	}
}

// A set-user-ID program of a task must not stay one of the agent's user.
func TestCommittedFilesHavePermissionsOnly(t *testing.T) {
	f := made(t, open(t), 0, 1)
	put(t, f.Out()+"/program", "#!/bin/sh\n")
	if err := os.Chmod(f.Out()+"/program", 0o555|os.ModeSetuid|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(f.Out() + "/program")
	if err != nil || info.Mode() != 0o555 {
		t.Errorf("the mode is %v (%v), want 0555", info.Mode(), err)
	}
}
