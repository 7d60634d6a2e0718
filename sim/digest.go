package sim

import "encoding/binary"

// sign adds an entry to the digest: subject, bytes and time.
func (w *World) sign(e *entry) {
	var head [24]byte
	binary.LittleEndian.PutUint64(head[:], uint64(e.Time.UnixNano()))
	binary.LittleEndian.PutUint64(head[8:], uint64(len(e.subject)))
	binary.LittleEndian.PutUint64(head[16:], uint64(len(e.body)))
	w.digest.Write(head[:])
	w.digest.Write([]byte(e.subject))
	w.digest.Write(e.body)
}
