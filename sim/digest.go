package sim

import (
	"encoding/binary"

	"lull/subjects"
)

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

// hostOf is the host that an event is about, "" for those that are about none.
func hostOf(e subjects.Event) string {
	switch e := e.(type) {
	case *subjects.Assigned:
		return e.Host
	case *subjects.Started:
		return e.Host
	case *subjects.Finished:
		return e.Host
	case *subjects.Failed:
		return e.Host
	case *subjects.Evicted:
		return e.Host
	case *subjects.Declined:
		return e.Host
	case *subjects.Revoked:
		return e.Host
	}
	return hostOfRare(e)
}

func hostOfRare(e subjects.Event) string {
	switch e := e.(type) {
	case *subjects.Joined:
		return e.Host
	case *subjects.Left:
		return e.Host
	case *subjects.Lost:
		return e.Host
	case *subjects.Paused:
		return e.Host
	case *subjects.Resumed:
		return e.Host
	case *subjects.Drained:
		return e.Host
	case *subjects.OutputLost:
		return e.Host
	}
	return ""
}
