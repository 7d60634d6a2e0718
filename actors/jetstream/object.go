package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// chunk is the bytes of an object in one message, below the server's limit of
// a megabyte. With SyncAlways every message is an fsync, so large ones are cheap.
const chunk = 512 << 10

// putObject writes an object in the object store's own format, which the
// library then reads. It waits for each message: the library's Put publishes
// asynchronously and leaves a goroutine behind when it ends before that
// goroutine has run (nats.go 1.55, resetPendingAcksOnReconnect), one for each
// snapshot. The old object stands until the new one is complete.
func (b *Bus) putObject(ctx context.Context, store jetstream.ObjectStore, bucket string, meta jetstream.ObjectMeta, body []byte) error {
	old, err := store.GetInfo(ctx, meta.Name)
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	meta.Opts = &jetstream.ObjectMetaOptions{ChunkSize: chunk}
	info := jetstream.ObjectInfo{ObjectMeta: meta, Bucket: bucket, NUID: nuid.Next(), Size: uint64(len(body)), Digest: digest(body)}
	for rest := body; len(rest) > 0; info.Chunks++ {
		n := min(len(rest), chunk)
		if _, err := b.js.Publish(ctx, chunkSubject(bucket, info.NUID), rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if err := b.putInfo(ctx, info); err != nil || old == nil {
		return err
	}
	return b.purge(ctx, "OBJ_"+bucket, chunkSubject(bucket, old.NUID))
}

// putInfo makes the object visible, in place of the one before.
func (b *Bus) putInfo(ctx context.Context, info jetstream.ObjectInfo) error {
	body, err := json.Marshal(info)
	if err != nil {
		return err
	}
	m := nats.NewMsg(fmt.Sprintf("$O.%s.M.%s", info.Bucket, base64.URLEncoding.EncodeToString([]byte(info.Name))))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = body
	_, err = b.js.PublishMsg(ctx, m)
	return err
}

func (b *Bus) purge(ctx context.Context, stream, subject string) error {
	s, err := b.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject(subject))
}

func chunkSubject(bucket, id string) string { return fmt.Sprintf("$O.%s.C.%s", bucket, id) }

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:])
}
