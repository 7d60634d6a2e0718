package hostctl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/subjects"
)

// ownSnapshots is a bus whose snapshots lie in the agent's own folder. In the pool's
// bucket a host that may write its snapshot could write everybody's, and ten
// thousand hosts would keep the server busy with what only each of them reads.
type ownSnapshots struct {
	actors.Bus
	dir string
}

var _ actors.Bus = (*ownSnapshots)(nil)

// openSnapshots makes the folder. Nobody else is to read what tasks the host ran.
func openSnapshots(bus actors.Bus, dir string) (*ownSnapshots, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder of snapshots: %w", err)
	}
	return &ownSnapshots{bus, dir}, nil
}

func (m *ownSnapshots) path(name string) string {
	return filepath.Join(m.dir, strings.ReplaceAll(name, "/", "~"))
}

// Save keeps a snapshot on the disk, behind its SHA-256, before it takes the place
// of the last one.
func (m *ownSnapshots) Save(_ context.Context, name string, s actors.Snapshot) error {
	body, err := subjects.Marshal(s)
	if err == nil {
		sum := sha256.Sum256(body)
		err = replace(m.path(name), append(sum[:], body...))
	}
	if err != nil {
		return fmt.Errorf("snapshot %s: %w", name, err)
	}
	return nil
}

// Load reads a snapshot, or the one that an earlier version left in the bucket.
func (m *ownSnapshots) Load(ctx context.Context, name string) (actors.Snapshot, error) {
	body, err := os.ReadFile(m.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m.inherited(ctx, name)
	case err != nil:
		return actors.Snapshot{}, fmt.Errorf("snapshot %s: %w", name, err)
	}
	s, err := unseal(body)
	if err != nil {
		return s, fmt.Errorf("%w: %s: %w", actors.ErrNoSnapshot, m.path(name), err)
	}
	return s, nil
}

func unseal(body []byte) (s actors.Snapshot, err error) {
	if len(body) < sha256.Size {
		return s, io.ErrUnexpectedEOF
	}
	if sum := sha256.Sum256(body[sha256.Size:]); !bytes.Equal(sum[:], body[:sha256.Size]) {
		return s, errors.New("its bytes do not match their SHA-256")
	}
	return s, subjects.Unmarshal(body[sha256.Size:], &s)
}

// inherited asks the bucket, which a host's key need not be allowed to read.
func (m *ownSnapshots) inherited(ctx context.Context, name string) (actors.Snapshot, error) {
	s, err := m.Bus.Load(ctx, name)
	if errors.Is(err, nats.ErrNoResponders) {
		return s, fmt.Errorf("%w: %s", actors.ErrNoSnapshot, name)
	}
	return s, err
}

// Snapshots lists none: a host trims nothing.
func (m *ownSnapshots) Snapshots(context.Context) (map[string]uint64, error) { return nil, nil }

// replace writes a file whole, or leaves the one that stands.
func replace(path string, body []byte) error {
	draft, err := os.OpenFile(path+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = draft.Write(body)
	if err = errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	return os.Rename(draft.Name(), path)
}
