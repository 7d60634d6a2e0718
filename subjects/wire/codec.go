package wire

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/vmihailenco/msgpack/v5"
)

// buffers hold the encoders' output. Without them every message grows a slice
// five times from nothing.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// largeBuffer is where a buffer is given away rather than copied and kept: a single
// large snapshot must not stay in memory for ever.
const largeBuffer = 1 << 16

// Marshal returns v in msgpack: structs as maps with the keys of their msgpack
// tags, integers in their shortest form.
func Marshal(v any) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	enc := msgpack.GetEncoder()
	defer msgpack.PutEncoder(enc)
	enc.Reset(buf)
	enc.UseCompactInts(true)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	if buf.Cap() > largeBuffer {
		return buf.Bytes(), nil
	}
	body := slices.Clone(buf.Bytes())
	buffers.Put(buf)
	return body, nil
}

// Append appends v to b as Marshal writes it. With room in b for v, a large snapshot is not copied
// from slice to slice.
func Append(b []byte, v any) ([]byte, error) {
	buf := bytes.NewBuffer(b)
	if err := NewEncoder(buf).Encode(v); err != nil {
		return b, fmt.Errorf("encode %T: %w", v, err)
	}
	return buf.Bytes(), nil
}

// NewEncoder returns an encoder that writes to w in the form of Marshal.
func NewEncoder(w io.Writer) *msgpack.Encoder {
	enc := msgpack.NewEncoder(w)
	enc.UseCompactInts(true)
	return enc
}

// Unmarshal decodes b, one msgpack value from anywhere, into v, a pointer.
// Fields that v does not have are ignored. It never panics.
func Unmarshal(b []byte, v any) (err error) {
	if err := Scan(b); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("decode %T: %v", v, r)
		}
	}()
	dec := msgpack.GetDecoder()
	dec.Reset(newSource(b))
	err = dec.Decode(v)
	// Only a decoder that came back whole is used again: after a panic it is
	// left to the garbage collector.
	msgpack.PutDecoder(dec)
	if err != nil {
		return fmt.Errorf("decode %T: %w", v, err)
	}
	return nil
}
