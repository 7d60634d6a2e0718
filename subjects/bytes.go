package subjects

import "lull/subjects/wire"

// Scan checks, without allocating, that b is one msgpack value, that its lengths are backed by
// bytes, and that it nests at most wire.MaxDepth levels.
func Scan(b []byte) error { return wire.Scan(b) }

// Marshal returns v in msgpack.
func Marshal(v any) ([]byte, error) { return wire.Marshal(v) }

// Unmarshal decodes msgpack from anywhere into v, a pointer, after Scan has accepted it. It never
// panics.
func Unmarshal(b []byte, v any) error { return wire.Unmarshal(b, v) }

// ToJSON turns one msgpack value from anywhere into JSON.
func ToJSON(msgpackBody []byte) ([]byte, error) { return wire.ToJSON(msgpackBody) }
