package integrity

import (
	"encoding/binary"
	"hash"

	"lull/subjects"
)

// span is a part of a block that holds no record whose checksum matches.
type span struct {
	from, to int
	end      bool   // nothing readable follows
	after    uint64 // sequence of the message before it, 0 for none
	since    int64  // its time, 0 if unknown
}

// fix is a byte that was wrong.
type fix struct {
	at       int
	was, now byte
}

// scanRecords calls see with each record of a block and its offset. It corrects records in b that are
// wrong in one byte, and returns the other spans that are no record. log is the pool whose log the
// block belongs to, "" for another stream.
func scanRecords(h hash.Hash, b []byte, log subjects.Pool, work *int, see func(at int, r record)) (bad []span, fixed []fix) {
	var last uint64
	var since int64
	for at := 0; at < len(b); {
		r, ok := parse(h, b[at:])
		if !ok {
			next := resume(h, b, at+1)
			if f, healed := healByte(h, b[at:next], work); healed {
				f.at += at
				fixed = append(fixed, f)
				continue // parse it again
			}
			bad = append(bad, span{from: at, to: next, end: next == len(b), after: last, since: since})
			at = next
			continue
		}
		if !r.plausible(log != "") {
			if f, healed := refit(h, b[at:at+r.size], r.bounds, log); healed {
				f.at += at
				fixed = append(fixed, f)
				continue
			}
		}
		if r.message() {
			last = r.seq
		}
		since = max(since, r.time)
		see(at, r)
		at += r.size
	}
	return bad, fixed
}

// resume finds the next record from an offset on.
func resume(h hash.Hash, b []byte, from int) int {
	for at := from; at+fixedSize+checksumSize <= len(b); at++ {
		if _, ok := parse(h, b[at:]); ok {
			return at
		}
	}
	return len(b)
}

// healWork bounds the bytes hashed in search of wrong bytes in one store, to a few
// seconds' work. A record of 1 KB takes 0.3 GB, one of 4 KB takes 4 GB, or 0.1 GB if
// a single bit was flipped.
const healWork = 16 << 30

// healByte looks for the one byte that makes b a record, and sets it. With a checksum of
// 64 bits, a wrong value among a million tried passes once in 10¹³ cases. work is the
// number of bytes that may still be hashed.
func healByte(h hash.Hash, b []byte, work *int) (fix, bool) {
	for _, values := range []func(byte) []byte{bitFlips, otherValues} {
		if f, ok := healBy(h, b, work, values); ok {
			return f, true
		}
	}
	return fix{}, false
}

func healBy(h hash.Hash, b []byte, work *int, values func(byte) []byte) (fix, bool) {
	for at := range b {
		if at == lengthSize && length(b) != len(b) {
			break // only another length could have made these bytes one record
		}
		was := b[at]
		candidates := values(was)
		if *work -= len(b) * len(candidates); *work < 0 {
			return fix{}, false
		}
		for _, now := range candidates {
			b[at] = now
			if r, ok := parse(h, b); ok && r.size == len(b) {
				return fix{at, was, now}, true
			}
		}
		b[at] = was
	}
	return fix{}, false
}

// length is the size of a record in its own first bytes, 0 if b is too short.
func length(b []byte) int {
	if len(b) < lengthSize {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b) &^ headerBit)
}

// refit looks for the one byte of an implausible record's inner lengths that makes it
// plausible, and in a log an event, and sets it.
func refit(h hash.Hash, b []byte, bounds int, log subjects.Pool) (fix, bool) {
	at := []int{20, 21}
	if bounds > 0 {
		at = append(at, bounds, bounds+1, bounds+2, bounds+3)
	}
	for _, at := range at {
		was := b[at]
		for _, now := range otherValues(was) {
			b[at] = now
			if r, ok := parse(h, b); ok && r.size == len(b) && r.plausible(log != "") && (log == "" || r.event(log)) {
				return fix{at, was, now}, true
			}
		}
		b[at] = was
	}
	return fix{}, false
}

// bitFlips lists the values that differ from b by one bit.
func bitFlips(b byte) []byte {
	values := make([]byte, 8)
	for bit := range values {
		values[bit] = b ^ 1<<bit
	}
	return values
}

// otherValues lists all values except b.
func otherValues(b byte) []byte {
	values := make([]byte, 0, 255)
	for v := range 256 {
		if byte(v) != b {
			values = append(values, byte(v))
		}
	}
	return values
}
