package spec

import "github.com/vmihailenco/msgpack/v5"

// fields writes a map of msgpack. It goes through the map's fields twice: first it counts them,
// because a map begins with their number, then it writes them.
type fields struct {
	to  *msgpack.Encoder // nil while it counts
	n   int
	err error
}

// begin ends the counting.
func (f *fields) begin(e *msgpack.Encoder) {
	f.to, f.err = e, e.EncodeMapLen(f.n)
}

// key begins a field, and reports whether its value is to be written.
func (f *fields) key(name string) bool {
	f.n++
	if f.to != nil && f.err == nil {
		f.err = f.to.EncodeString(name)
	}
	return f.to != nil && f.err == nil
}

func (f *fields) text(key, v string) {
	if f.key(key) {
		f.err = f.to.EncodeString(v)
	}
}

func (f *fields) texts(key string, v []string) {
	if !f.key(key) {
		return
	}
	if v == nil {
		f.err = f.to.EncodeNil()
		return
	}
	f.err = f.to.EncodeArrayLen(len(v))
	for i := 0; f.err == nil && i < len(v); i++ {
		f.err = f.to.EncodeString(v[i])
	}
}

func (f *fields) number(key string, v int64) {
	if f.key(key) {
		f.err = f.to.EncodeInt(v)
	}
}

func (f *fields) fraction(key string, v float64) {
	if f.key(key) {
		f.err = f.to.EncodeFloat64(v)
	}
}

func (f *fields) flag(key string, v bool) {
	if f.key(key) {
		f.err = f.to.EncodeBool(v)
	}
}

// optional adds a field unless its value is 0, false or "".
func optional[T comparable](add func(string, T), key string, v T) {
	if v != *new(T) {
		add(key, v)
	}
}

// list adds a field unless it is empty. The encoder writes it by reflection: few stages have one.
func list[T any](f *fields, key string, v []T) {
	if len(v) > 0 && f.key(key) {
		f.err = f.to.Encode(v)
	}
}
