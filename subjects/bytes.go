package subjects

import "lull/subjects/wire"

// Marshal returns v in msgpack.
func Marshal(v any) ([]byte, error) { return wire.Marshal(v) }

// Append appends v in msgpack to b.
func Append(b []byte, v any) ([]byte, error) { return wire.Append(b, v) }

// Unmarshal decodes msgpack from anywhere into v, a pointer, after wire.Scan has accepted it. It
// never panics.
func Unmarshal(b []byte, v any) error { return wire.Unmarshal(b, v) }

// View is a field of bytes that Unmarshal does not copy: see wire.View.
type View = wire.View
