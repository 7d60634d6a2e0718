package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"lull/actors"
)

// chunk is the bytes of an object in one message, below the server's limit of
// a megabyte. With SyncAlways every message is an fsync, so large ones are cheap.
const chunk = 512 << 10

// putObject writes an object in the object store's own format, which the library then reads. It
// waits for each message. The library's Put publishes asynchronously, and can leave a goroutine
// behind for each snapshot (nats.go 1.55, resetPendingAcksOnReconnect). The old object stays until
// the new one is complete, and for good if replaces returns false. replaces is called again when another
// writer came first.
func (b *Bus) putObject(ctx context.Context, bucket string, meta jetstream.ObjectMeta, body []byte, replaces func(old *jetstream.ObjectInfo) (bool, error)) error {
	for {
		old, seq, err := b.object(ctx, bucket, meta.Name)
		if err != nil {
			return err
		}
		if old != nil {
			if ok, err := replaces(old); !ok || err != nil {
				return err
			}
		}
		err = b.replaceObject(ctx, bucket, meta, body, old, seq)
		if !isWrongSequence(err) {
			return err
		}
	}
}

// object is what stands under a name, and the sequence of the message that says
// so; nil and 0 for none.
func (b *Bus) object(ctx context.Context, bucket, name string) (*jetstream.ObjectInfo, uint64, error) {
	m, err := b.last(ctx, "OBJ_"+bucket, infoSubject(bucket, name))
	if errors.Is(err, errNoMessage) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	info := new(jetstream.ObjectInfo)
	if err := json.Unmarshal(m.Body, info); err != nil || info.Deleted {
		return nil, m.Seq, nil //nolint:nilerr // an unreadable description is to be replaced
	}
	return info, m.Seq, nil
}

// getObject reads an object. The error is jetstream.ErrObjectNotFound or
// jetstream.ErrDigestMismatch, among others.
func (b *Bus) getObject(ctx context.Context, bucket, name string) ([]byte, error) {
	info, _, err := b.object(ctx, bucket, name)
	if err != nil {
		return nil, err
	}
	if info == nil {
		return nil, jetstream.ErrObjectNotFound
	}
	body := make([]byte, 0, min(info.Size, 1<<30))
	err = b.pages(ctx, "OBJ_"+bucket, chunkSubject(bucket, info.NUID), func(d actors.Delivery) { body = append(body, d.Body...) })
	if err != nil {
		return nil, err
	}
	if digest(body) != info.Digest {
		return nil, jetstream.ErrDigestMismatch
	}
	return body, nil
}

// Object reads an object of the pool's bucket that has at most most bytes. Earlier
// releases stored task lists as objects, this one stores them as blobs.
func (b *Bus) Object(ctx context.Context, name string, most uint64) ([]byte, error) {
	info, _, err := b.object(ctx, b.pool.Objects(), name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("object %s: %w", name, err)
	case info == nil:
		return nil, fmt.Errorf("object %s: %w", name, fs.ErrNotExist)
	case info.Size > most:
		return nil, fmt.Errorf("object %s has %d bytes, %d are allowed: %w", name, info.Size, most, fs.ErrInvalid)
	}
	body, err := b.getObject(ctx, b.pool.Objects(), name)
	if errors.Is(err, jetstream.ErrDigestMismatch) {
		err = fmt.Errorf("%w: %w", err, fs.ErrInvalid)
	}
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", name, err)
	}
	return body, nil
}

func (b *Bus) replaceObject(ctx context.Context, bucket string, meta jetstream.ObjectMeta, body []byte, old *jetstream.ObjectInfo, seq uint64) error {
	meta.Opts = &jetstream.ObjectMetaOptions{ChunkSize: chunk}
	info := jetstream.ObjectInfo{ObjectMeta: meta, Bucket: bucket, NUID: nuid.Next(), Size: uint64(len(body)), Digest: digest(body)}
	err := b.putPieces(ctx, &info, body)
	if err == nil {
		if err = b.putInfo(ctx, info, seq); err != nil && !isRefusal(err) {
			b.swept.Store(false)
			return err // the object may stand, and then needs its pieces
		}
	}
	if err != nil {
		return errors.Join(err, b.dropPieces(ctx, bucket, info.NUID))
	}
	_ = b.sweepPieces(ctx, bucket) // after an error the next process tries again
	if old == nil {
		return nil
	}
	return b.purge(ctx, "OBJ_"+bucket, chunkSubject(bucket, old.NUID))
}

// dropObject removes an object. What stays is a short description that says so: without
// it a put that began earlier would take the object for one that never was.
func (b *Bus) dropObject(ctx context.Context, bucket, name string) error {
	old, seq, err := b.object(ctx, bucket, name)
	if old == nil || err != nil {
		return err
	}
	gone := jetstream.ObjectInfo{ObjectMeta: jetstream.ObjectMeta{Name: name}, Bucket: bucket, NUID: old.NUID, Deleted: true}
	if err := b.putInfo(ctx, gone, seq); err != nil {
		return err
	}
	return b.purge(ctx, "OBJ_"+bucket, chunkSubject(bucket, old.NUID))
}

func (b *Bus) putPieces(ctx context.Context, info *jetstream.ObjectInfo, body []byte) error {
	for rest := body; len(rest) > 0; info.Chunks++ {
		n := min(len(rest), chunk)
		if _, err := b.js.Publish(ctx, chunkSubject(info.Bucket, info.NUID), rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// dropWithin bounds the removal of pieces after their writer's context has ended.
const dropWithin = 5 * time.Second

// dropPieces removes the pieces of a put that failed, also when the put's context has
// ended.
func (b *Bus) dropPieces(ctx context.Context, bucket, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWithin)
	defer cancel()
	return b.purge(ctx, "OBJ_"+bucket, chunkSubject(bucket, id))
}

// orphanAge is longer than any put takes: older pieces belong to no unfinished put.
const orphanAge = 10 * time.Minute

// sweepPieces removes the pieces that belong to no object. They remain from puts of a
// process that was killed or got no answer. It does so once in a process, and again while there
// are some that are too young.
func (b *Bus) sweepPieces(ctx context.Context, bucket string) error {
	if b.swept.Swap(true) {
		return nil
	}
	stream, err := b.js.Stream(ctx, "OBJ_"+bucket)
	if err != nil {
		return err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(chunkSubject(bucket, "*")))
	if err != nil {
		return err
	}
	orphans := info.State.Subjects
	err = b.pages(ctx, "OBJ_"+bucket, infoSubject(bucket, "*"), func(d actors.Delivery) {
		var object jetstream.ObjectInfo
		if json.Unmarshal(d.Body, &object) == nil {
			delete(orphans, chunkSubject(bucket, object.NUID))
		}
	})
	for subject := range orphans {
		last, found := b.last(ctx, "OBJ_"+bucket, subject)
		switch {
		case err != nil || found != nil:
		case info.TimeStamp.Sub(last.Time) > b.orphanAge: // both of the server's clock
			err = b.purge(ctx, "OBJ_"+bucket, subject)
		default:
			b.swept.Store(false)
		}
	}
	return err
}

// putInfo makes the object visible, in place of the one that message seq named.
func (b *Bus) putInfo(ctx context.Context, info jetstream.ObjectInfo, seq uint64) error {
	body, err := json.Marshal(info)
	if err != nil {
		return err
	}
	m := nats.NewMsg(infoSubject(info.Bucket, info.Name))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = body
	_, err = b.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(seq))
	return err
}

// isRefusal reports whether err is the server's answer that it did not store a message.
// Otherwise it is unknown whether it did.
func isRefusal(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api)
}

func isWrongSequence(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

func (b *Bus) purge(ctx context.Context, stream, subject string) error {
	s, err := b.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject(subject))
}

// infoSubject is the subject of an object's description, or a pattern of all of them
// for the name "*".
func infoSubject(bucket, name string) string {
	if name == "*" {
		return fmt.Sprintf("$O.%s.M.*", bucket)
	}
	return fmt.Sprintf("$O.%s.M.%s", bucket, base64.URLEncoding.EncodeToString([]byte(name)))
}

func chunkSubject(bucket, id string) string { return fmt.Sprintf("$O.%s.C.%s", bucket, id) }

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:])
}
