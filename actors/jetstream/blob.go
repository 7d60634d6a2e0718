package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/subjects"
)

// A blob is a sequence of bytes, stored in pieces of one message each and named by the SHA-256 of
// its root piece. The name fixes the content, so other writers to the stream do no harm: a reader
// takes the first message with that sum.
//
// The first byte of a piece is its kind: a leaf contains bytes of the blob, a node contains the
// sums of other pieces, 32 bytes each.
const (
	pieceLeaf = 0
	pieceNode = 1

	sumSize = sha256.Size
	// leafBytes is the size of a leaf. One node holds the sums of 16,384 leaves, so
	// a blob has at most two levels.
	leafBytes = 512 << 10
)

// PutBlob stores a blob of up to 8 GB and returns its name. It may be repeated.
func (b *Bus) PutBlob(ctx context.Context, body []byte) (name string, err error) {
	if len(body) <= leafBytes {
		return b.putPiece(ctx, pieceLeaf, body)
	}
	var sums []byte
	for ; len(body) > 0; body = body[min(len(body), leafBytes):] {
		name, err := b.putPiece(ctx, pieceLeaf, body[:min(len(body), leafBytes)])
		if err != nil {
			return "", err
		}
		sum, _ := hex.DecodeString(name)
		sums = append(sums, sum...)
	}
	return b.putPiece(ctx, pieceNode, sums)
}

// BlobName returns the name of a blob with this content, as bytes, without storing it.
func BlobName(body []byte) []byte {
	if len(body) <= leafBytes {
		return pieceSum(pieceLeaf, body)
	}
	var sums []byte
	for ; len(body) > 0; body = body[min(len(body), leafBytes):] {
		sums = append(sums, pieceSum(pieceLeaf, body[:min(len(body), leafBytes)])...)
	}
	return pieceSum(pieceNode, sums)
}

func pieceSum(kind byte, body []byte) []byte {
	h := sha256.New()
	h.Write([]byte{kind})
	h.Write(body)
	return h.Sum(nil)
}

// BlobPutTime returns when a user stored the root of a blob last. The error wraps fs.ErrNotExist if
// that was never, or if the content is another one.
func BlobPutTime(ctx context.Context, b *Bus, user, name string) (at time.Time, err error) {
	err = b.lastOfEach(ctx, b.pool.Lists(), b.pool.Piece(user, name), func(d actors.Delivery) {
		if sum := sha256.Sum256(d.Body); hex.EncodeToString(sum[:]) == name {
			at = d.Time
		}
	})
	if err == nil && at.IsZero() {
		err = fmt.Errorf("piece %s: %w", name, fs.ErrNotExist)
	}
	return at, err
}

func (b *Bus) putPiece(ctx context.Context, kind byte, body []byte) (name string, err error) {
	piece := append([]byte{kind}, body...)
	sum := sha256.Sum256(piece)
	name = hex.EncodeToString(sum[:])
	if _, err := b.js.PublishMsg(ctx, &nats.Msg{Subject: b.pool.Piece(subjects.Nobody, name), Data: piece}); err != nil {
		return "", ExplainError(err)
	}
	return name, nil
}

// ReadBlob returns size bytes of a blob from an offset on, fewer at its end. The error
// wraps fs.ErrNotExist if no message has a piece's sum, and fs.ErrInvalid if the
// pieces do not form a blob.
func (b *Bus) ReadBlob(ctx context.Context, name string, offset, size int) ([]byte, error) {
	kind, body, err := b.piece(ctx, name)
	if err != nil || kind == pieceLeaf {
		return section(body, offset, size), err
	}
	var all []byte
	for k := offset / leafBytes; k*leafBytes < offset+size && (k+1)*sumSize <= len(body); k++ {
		kind, leaf, err := b.piece(ctx, hex.EncodeToString(body[k*sumSize:(k+1)*sumSize]))
		switch {
		case err != nil:
			return nil, err
		case kind != pieceLeaf:
			return nil, fmt.Errorf("blob %s has too many levels: %w", name, fs.ErrInvalid)
		case offset+len(all) < k*leafBytes: // the leaf before this one was too short
			return nil, fmt.Errorf("blob %s has a gap before byte %d: %w", name, k*leafBytes, fs.ErrInvalid)
		}
		all = append(all, section(leaf, offset+len(all)-k*leafBytes, size-len(all))...)
	}
	return all, nil
}

func section(body []byte, offset, size int) []byte {
	from := min(offset, len(body))
	return body[from:min(from+size, len(body))]
}

// piece returns the content of the first message that has the sum name.
func (b *Bus) piece(ctx context.Context, name string) (kind byte, body []byte, err error) {
	var found []byte
	err = b.lastOfEach(ctx, b.pool.Lists(), b.pool.Piece("*", name), func(d actors.Delivery) {
		if sum := sha256.Sum256(d.Body); hex.EncodeToString(sum[:]) == name {
			found = d.Body
		}
	})
	switch {
	case err != nil:
		return 0, nil, err
	case found == nil:
		return 0, nil, fmt.Errorf("piece %s: %w", name, fs.ErrNotExist)
	case len(found) == 0:
		return 0, nil, fmt.Errorf("piece %s is empty: %w", name, fs.ErrInvalid)
	case found[0] > pieceNode:
		return 0, nil, errors.Join(fmt.Errorf("piece %s is of a newer lull", name), fs.ErrInvalid)
	}
	return found[0], found[1:], nil
}
