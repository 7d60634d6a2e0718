package wire

import (
	"bytes"
	"io"

	"github.com/vmihailenco/msgpack/v5"
)

// View is a field of bytes that Unmarshal does not copy: it shares memory with the message, which must
// not change while the view is in use. The jobs of a large pool are one such field of a snapshot, 250 MB
// for a million.
type View []byte

// EncodeMsgpack writes the view as a []byte is written.
func (v View) EncodeMsgpack(e *msgpack.Encoder) error { return e.EncodeBytes(v) }

// DecodeMsgpack makes the view one of the decoder's source, or a copy where that is no message in memory.
func (v *View) DecodeMsgpack(d *msgpack.Decoder) error {
	from, inMemory := d.Buffered().(*source)
	if !inMemory {
		body, err := d.DecodeBytes()
		*v = body
		return err
	}
	n, err := d.DecodeBytesLen()
	if err != nil || n < 0 {
		*v = nil
		return err
	}
	*v, err = from.view(n)
	return err
}

// source is a message in memory that is being decoded.
type source struct {
	bytes.Reader
	all []byte
}

func newSource(b []byte) *source {
	s := &source{all: b}
	s.Reset(b)
	return s
}

// view returns the next n bytes, and skips them.
func (s *source) view(n int) (View, error) {
	if n > s.Len() {
		return nil, io.ErrUnexpectedEOF
	}
	at := len(s.all) - s.Len()
	_, err := s.Seek(int64(n), io.SeekCurrent)
	return s.all[at : at+n : at+n], err
}
