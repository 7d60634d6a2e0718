package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/subjects"
)

// The metadata of a snapshot say what it is of, so that this can be known without
// reading the state.
const (
	snapshotSeq     = "seq"
	snapshotCreated = "created"
	snapshotVersion = "version"
)

// Save stores a snapshot under the actor's name, in place of an older one.
func (b *Bus) Save(ctx context.Context, name string, s actors.Snapshot) error {
	body, err := subjects.Marshal(s)
	if err != nil {
		return fmt.Errorf("snapshot %s: %w", name, err)
	}
	meta := jetstream.ObjectMeta{Name: name, Metadata: map[string]string{
		snapshotSeq:     strconv.FormatUint(s.Seq, 10),
		snapshotCreated: s.Created.UTC().Format(time.RFC3339Nano),
		snapshotVersion: strconv.Itoa(s.Version),
	}}
	replaces := func(old *jetstream.ObjectInfo) (bool, error) {
		info, err := b.Log(ctx)
		return !s.Older(snapshotInfo(old.Metadata), info.Last), err
	}
	if err := b.putObject(ctx, b.pool.Snapshots(), meta, body, replaces); err != nil {
		return fmt.Errorf("snapshot %s: %w", name, err)
	}
	return nil
}

// snapshotInfo returns a snapshot without its state, from the object's metadata. Fields
// that the metadata lack are zero, which matches no log.
func snapshotInfo(meta map[string]string) (s actors.Snapshot) {
	s.Seq, _ = strconv.ParseUint(meta[snapshotSeq], 10, 64)
	s.Version, _ = strconv.Atoi(meta[snapshotVersion])
	s.Created, _ = time.Parse(time.RFC3339Nano, meta[snapshotCreated])
	return s
}

// Load returns the last snapshot saved. Bytes that do not match their digest
// or cannot be decoded are no snapshot.
func (b *Bus) Load(ctx context.Context, name string) (actors.Snapshot, error) {
	body, err := b.getObject(ctx, b.pool.Snapshots(), name)
	if errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, jetstream.ErrDigestMismatch) {
		return actors.Snapshot{}, fmt.Errorf("%w: %s: %w", actors.ErrNoSnapshot, name, err)
	}
	if err != nil {
		return actors.Snapshot{}, fmt.Errorf("snapshot %s: %w", name, err)
	}
	var s actors.Snapshot
	if err := subjects.Unmarshal(body, &s); err != nil {
		return actors.Snapshot{}, fmt.Errorf("%w: %s: %w", actors.ErrNoSnapshot, name, err)
	}
	return s, nil
}

// Snapshots lists every actor's last snapshot with its log sequence.
func (b *Bus) Snapshots(ctx context.Context) (map[string]uint64, error) {
	seqs := make(map[string]uint64)
	bucket := b.pool.Snapshots()
	var bad error
	err := b.pages(ctx, "OBJ_"+bucket, infoSubject(bucket, "*"), func(d actors.Delivery) {
		bad = errors.Join(bad, addSequence(d.Body, seqs))
	})
	if err != nil {
		return nil, fmt.Errorf("list snapshots: %w", err)
	}
	return seqs, bad
}

// Forget removes a snapshot.
func (b *Bus) Forget(ctx context.Context, name string) error {
	if err := b.dropObject(ctx, b.pool.Snapshots(), name); err != nil {
		return fmt.Errorf("snapshot %s: %w", name, err)
	}
	return nil
}

func addSequence(body []byte, seqs map[string]uint64) error {
	var info jetstream.ObjectInfo
	if err := json.Unmarshal(body, &info); err != nil || info.Deleted {
		return nil //nolint:nilerr // there is no object under this name
	}
	seq, err := strconv.ParseUint(info.Metadata[snapshotSeq], 10, 64)
	if err != nil {
		return fmt.Errorf("list snapshots: %s has no sequence: %w", info.Name, err)
	}
	seqs[info.Name] = seq
	return nil
}
