package sim

import "encoding/binary"

// addToDigest adds an entry to the digest: subject, bytes and time.
func (w *World) addToDigest(e *entry) {
	b := binary.LittleEndian.AppendUint64(w.digestBuffer[:0], uint64(e.Time.UnixNano()))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(e.subject)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(e.body)))
	b = append(append(b, e.subject...), e.body...)
	w.digest.Write(b)
	w.digestBuffer = b
}
