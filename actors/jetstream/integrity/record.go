package integrity

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"strings"
	"unicode/utf8"

	"github.com/minio/highwayhash"

	"lull/subjects"
)

// A record of a block file, in little endian:
//
//	length(4) sequence(8) time(8) subjectLength(2) subject [headerLength(4) header] body checksum(8)
//
// The highest bit of the length says that there is a header.
const (
	lengthSize   = 4
	fixedSize    = 22
	checksumSize = 8
	headerBit    = 1 << 31
	erasedBit    = 1 << 63 // of the sequence: the message was deleted, and overwritten
	tombBit      = 1 << 62 // of the sequence: a tombstone, the message was deleted
	largest      = 32 << 20
	// nextWithin bounds how far a plausible sequence is ahead of its predecessor.
	nextWithin = 1 << 40
)

type record struct {
	seq          uint64 // without its bits
	erased, tomb bool
	time         int64 // Unix nanoseconds
	subject      string
	header, body []byte
	size         int // bytes in the block
	bounds       int // offset of the header's length, 0 without a header
}

// message reports whether the record is a message, neither erased nor a tombstone.
func (r *record) message() bool { return !r.erased && !r.tomb }

// newHash returns the hash of a block's records or of meta data. Its key is the SHA-256
// of the block's or stream's name.
func newHash(name string) hash.Hash {
	key := sha256.Sum256([]byte(name))
	h, err := highwayhash.New64(key[:])
	if err != nil {
		panic(err) // the key has the only length allowed
	}
	return h
}

func blockName(stream string, index uint32) string { return fmt.Sprintf("%s-%d", stream, index) }

// parse reads the record at the beginning of b. ok is false if its checksum
// does not match.
func parse(h hash.Hash, b []byte) (r record, ok bool) {
	if len(b) < fixedSize+checksumSize {
		return r, false
	}
	length := binary.LittleEndian.Uint32(b)
	headed := length&headerBit != 0
	size := int(length &^ headerBit)
	head := fixedSize + int(binary.LittleEndian.Uint16(b[20:]))
	subject := head
	if headed {
		head += 4
	}
	if size > len(b) || size > largest || head+checksumSize > size {
		return r, false
	}
	seq := binary.LittleEndian.Uint64(b[4:])
	if seq&^(erasedBit|tombBit) > nextWithin {
		return r, false
	}
	h.Reset()
	h.Write(b[4:20])
	h.Write(b[fixedSize:subject])
	h.Write(b[head : size-checksumSize])
	var sum [checksumSize]byte
	if !bytes.Equal(h.Sum(sum[:0]), b[size-checksumSize:size]) {
		return r, false
	}
	split := head
	if headed {
		n := int(binary.LittleEndian.Uint32(b[subject:]))
		if n > size-checksumSize-head {
			return r, false
		}
		split += n
	}
	return record{
		seq: seq &^ (erasedBit | tombBit), erased: seq&erasedBit != 0, tomb: seq&tombBit != 0,
		time: int64(binary.LittleEndian.Uint64(b[12:])), subject: string(b[fixedSize:subject]),
		header: b[head:split], body: b[split : size-checksumSize], size: size, bounds: bounds(headed, subject),
	}, true
}

func bounds(headed bool, subject int) int {
	if headed {
		return subject
	}
	return 0
}

// plausible reports whether subject, header and body seem to begin where they should, because the
// checksum does not cover their lengths. A subject is printable, a header begins and ends like one,
// and the body of a log's event is a map. A foreign message may be implausible as it was written;
// only event distinguishes it from a damaged one.
func (r *record) plausible(log bool) bool {
	if !r.message() {
		return true
	}
	if strings.ContainsFunc(r.subject, func(c rune) bool { return c <= ' ' || c == utf8.RuneError }) {
		return false
	}
	if r.bounds > 0 {
		return bytes.HasPrefix(r.header, []byte("NATS/1.0")) && bytes.HasSuffix(r.header, []byte("\r\n\r\n"))
	}
	return !log || len(r.body) > 0 && r.body[0] >= 0x80
}

// event reports whether the record is an event of a pool's log.
func (r *record) event(pool subjects.Pool) bool {
	_, err := subjects.Decode(pool, r.subject, r.body)
	return err == nil
}

// encode appends a message's record.
func encode(h hash.Hash, to []byte, r record) []byte {
	start := len(to)
	length := uint32(fixedSize + len(r.subject) + 4 + len(r.header) + len(r.body) + checksumSize)
	to = binary.LittleEndian.AppendUint32(to, length|headerBit)
	to = binary.LittleEndian.AppendUint64(to, r.seq)
	to = binary.LittleEndian.AppendUint64(to, uint64(r.time))
	to = binary.LittleEndian.AppendUint16(to, uint16(len(r.subject)))
	to = append(to, r.subject...)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(r.header)))
	to = append(append(to, r.header...), r.body...)
	h.Reset()
	h.Write(to[start+4 : start+20])
	h.Write([]byte(r.subject))
	h.Write(r.header)
	h.Write(r.body)
	return h.Sum(to)
}
