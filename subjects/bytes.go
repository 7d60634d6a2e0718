package subjects

import "lull/subjects/wire"

// Marshal returns v in msgpack.
func Marshal(v any) ([]byte, error) { return wire.Marshal(v) }

// Unmarshal decodes msgpack from anywhere into v, a pointer, after wire.Scan has accepted it. It
// never panics.
func Unmarshal(b []byte, v any) error { return wire.Unmarshal(b, v) }
