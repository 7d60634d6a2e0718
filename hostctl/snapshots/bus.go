// Package snapshots keeps the snapshots of a host's actor on the host's own disk.
package snapshots

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

// Bus is a bus that keeps snapshots in a folder of the agent. In the pool's bucket, a host that may
// write its own snapshot could replace any other. And ten thousand hosts would load the server with
// snapshots that only they read.
type Bus struct {
	actors.Bus
	dir string
}

var _ actors.Bus = (*Bus)(nil)

// Open returns a bus that keeps snapshots in dir, and makes that folder. Only the agent's user may
// read it: it lists the host's tasks.
func Open(bus actors.Bus, dir string) (*Bus, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder of snapshots: %w", err)
	}
	return &Bus{bus, dir}, nil
}

func (m *Bus) path(name string) string {
	return filepath.Join(m.dir, strings.ReplaceAll(name, "/", "~"))
}

// Save writes and syncs a snapshot, preceded by its SHA-256, and then replaces the last one.
func (m *Bus) Save(_ context.Context, name string, s actors.Snapshot) error {
	body, err := subjects.Marshal(s)
	if err == nil {
		sum := sha256.Sum256(body)
		err = replaceFile(m.path(name), append(sum[:], body...))
	}
	if err != nil {
		return fmt.Errorf("snapshot %s: %w", name, err)
	}
	return nil
}

// Load reads a snapshot, or the one that an earlier version left in the bucket.
func (m *Bus) Load(ctx context.Context, name string) (actors.Snapshot, error) {
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

// inherited reads a snapshot from the bucket, where earlier releases saved it. A host's key
// may lack the right to.
func (m *Bus) inherited(ctx context.Context, name string) (actors.Snapshot, error) {
	s, err := m.Bus.Load(ctx, name)
	if errors.Is(err, nats.ErrNoResponders) {
		return s, fmt.Errorf("%w: %s", actors.ErrNoSnapshot, name)
	}
	return s, err
}

// Snapshots returns none: only services that trim the log need the list.
func (m *Bus) Snapshots(context.Context) (map[string]uint64, error) { return nil, nil }

// replaceFile replaces a file atomically.
func replaceFile(path string, body []byte) error {
	draft, err := os.OpenFile(path+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = draft.Write(body)
	err = errors.Join(err, draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		_ = os.Remove(draft.Name()) // the disk may be full
	}
	return err
}
