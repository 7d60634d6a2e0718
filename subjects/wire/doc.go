// Package wire is the one place where msgpack from outside becomes values. The codec alone is
// unsafe on hostile bytes. Six of them, dd ff ff ff ff 01, make it reserve memory for four billion
// elements, and deep nesting overflows the stack, which no recover can catch. So Scan walks the
// bytes first, without allocating, and Unmarshal decodes only what Scan has accepted.
package wire
