package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/vmihailenco/msgpack/v5"
)

// ToJSON turns one msgpack value into JSON, so that a document in msgpack takes
// the same way as one in JSON. Keys keep their order and a repeated key is
// repeated, so that the reader of the JSON can refuse it. What JSON has no word
// for (keys that are no strings, binary, extensions, NaN) is an error.
func ToJSON(b []byte) (out []byte, err error) {
	if err := Scan(b); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("convert msgpack to JSON: %v", r)
		}
	}()
	c := converter{dec: msgpack.NewDecoder(bytes.NewReader(b))}
	if err := c.value(); err != nil {
		return nil, fmt.Errorf("convert msgpack to JSON: %w", err)
	}
	return c.out.Bytes(), nil
}

type converter struct {
	dec *msgpack.Decoder
	out bytes.Buffer
}

func (c *converter) value() error {
	code, err := c.dec.PeekCode()
	if err != nil {
		return err
	}
	switch {
	case code&0xf0 == 0x80 || code == 0xde || code == 0xdf:
		return c.object()
	case code&0xf0 == 0x90 || code == 0xdc || code == 0xdd:
		return c.array()
	}
	v, err := c.dec.DecodeInterface()
	if err != nil {
		return err
	}
	return c.scalar(v)
}

func (c *converter) object() error {
	n, err := c.dec.DecodeMapLen()
	if err != nil {
		return err
	}
	c.out.WriteByte('{')
	for i := range n {
		c.comma(i)
		key, err := c.dec.DecodeInterface()
		if err != nil {
			return err
		}
		if _, ok := key.(string); !ok {
			return fmt.Errorf("the key %v is no string", key)
		}
		if err := c.scalar(key); err != nil {
			return err
		}
		c.out.WriteByte(':')
		if err := c.value(); err != nil {
			return err
		}
	}
	c.out.WriteByte('}')
	return nil
}

func (c *converter) array() error {
	n, err := c.dec.DecodeArrayLen()
	if err != nil {
		return err
	}
	c.out.WriteByte('[')
	for i := range n {
		c.comma(i)
		if err := c.value(); err != nil {
			return err
		}
	}
	c.out.WriteByte(']')
	return nil
}

func (c *converter) comma(i int) {
	if i > 0 {
		c.out.WriteByte(',')
	}
}

func (c *converter) scalar(v any) error {
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) {
			return errors.New("a string is not UTF-8")
		}
	case nil, bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64:
	default:
		return fmt.Errorf("a value of type %T has no form in JSON", v)
	}
	text, err := json.Marshal(v)
	c.out.Write(text)
	return err
}
