package jetstream

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/subjects"
)

// Any client may put arbitrary pieces and name them in a job: reading them ends with
// an error.
func TestPiecesThatAreNoBlob(t *testing.T) {
	bus, _ := openTest(t)
	put := func(piece []byte) (sum []byte) {
		t.Helper()
		all := sha256.Sum256(piece)
		m := &nats.Msg{Subject: bus.pool.Piece(subjects.Nobody, hex.EncodeToString(all[:])), Data: piece}
		if _, err := bus.js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		return all[:]
	}
	node := func(sums ...[]byte) []byte {
		piece := []byte{pieceNode}
		for _, sum := range sums {
			piece = append(piece, sum...)
		}
		return put(piece)
	}
	short := put([]byte{pieceLeaf, 'x'})
	for name, sum := range map[string][]byte{
		"no kind":        put(nil),
		"a short leaf":   node(short, short),
		"no kind below":  node(put(nil)),
		"too many nodes": node(node(short)),
		"a newer kind":   put([]byte{9}),
	} {
		if got, err := bus.ReadBlob(t.Context(), hex.EncodeToString(sum), 0, 2*leafBytes); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("ReadBlob(%s) = %d bytes, %v, want ErrInvalid", name, len(got), err)
		}
	}
}
