package snapshots

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lull/actors"
)

// elsewhere is a bucket with the snapshot of an earlier release, without the right to write.
type elsewhere struct{ actors.Bus }

func (elsewhere) Load(_ context.Context, name string) (actors.Snapshot, error) {
	if name == "hostctl.old" {
		return actors.Snapshot{Seq: 7}, nil
	}
	return actors.Snapshot{}, actors.ErrNoSnapshot
}

func (elsewhere) Save(context.Context, string, actors.Snapshot) error {
	return errors.New("a host may not write to the bucket")
}

func TestAHostsSnapshotLiesOnItsOwnDisk(t *testing.T) {
	dir, ctx := filepath.Join(t.TempDir(), "snapshots"), t.Context()
	m, err := Open(elsewhere{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	const name = "hostctl.a/5"
	if _, err := m.Load(ctx, name); !errors.Is(err, actors.ErrNoSnapshot) {
		t.Errorf("Load at the first start = %v, want ErrNoSnapshot", err)
	}
	if s, err := m.Load(ctx, "hostctl.old"); err != nil || s.Seq != 7 {
		t.Errorf("Load(saved by an earlier version) = %+v, %v, want 7", s, err)
	}
	for seq := range uint64(3) {
		if err := m.Save(ctx, name, actors.Snapshot{Seq: seq, State: []byte("state")}); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := m.Load(ctx, name); err != nil || s.Seq != 2 || string(s.State) != "state" {
		t.Errorf("Load(%s) = %+v, %v, want 2, state", name, s, err)
	}
	info, err := os.Stat(m.path(name))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file = %v, %v, want mode 600", info, err)
	}
	body, err := os.ReadFile(m.path(name))
	if err != nil {
		t.Fatal(err)
	}
	body[len(body)-1] ^= 1
	if err := os.WriteFile(m.path(name), body, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Load(ctx, name); !errors.Is(err, actors.ErrNoSnapshot) {
		t.Errorf("Load(a flipped bit) = %v, want ErrNoSnapshot", err)
	}
}
