package sim

import "encoding/binary"

// sign adds an entry to the digest: subject, bytes and time.
func (w *World) sign(e *entry) {
	b := binary.LittleEndian.AppendUint64(w.signed[:0], uint64(e.Time.UnixNano()))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(e.subject)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(e.body)))
	b = append(append(b, e.subject...), e.body...)
	w.digest.Write(b)
	w.signed = b
}
