package waits

import (
	"encoding/binary"
	"fmt"
	"time"
)

// Core is what a CPU does right now.
type Core struct {
	Primary bool // it runs a thread of the primary
	Batch   bool // it runs batch work
	// Waiter is the thread of the primary that was last queued here and has not
	// run here since, 0 if there is none. It may have been moved to another CPU.
	Waiter int
	Waits  time.Duration // since when it is queued
}

// Cores appends what each CPU does, or reports false if the sensor does not see
// single CPUs. It may be called beside the other methods, but not after Close.
func (s *Sensor) Cores(to []Core) ([]Core, bool) {
	t, ok := s.source.(*tracer)
	if !ok {
		return to, false
	}
	to, err := t.cores(to)
	return to, err == nil
}

func (t *tracer) cores(to []Core) ([]Core, error) {
	now, err := clock()
	if err != nil {
		return to, err
	}
	var head [atDelays]byte
	for at := int64(0); at < int64(t.memory.Size()); at += recordSize {
		if _, err := t.memory.ReadAt(head[:], at); err != nil {
			return to, fmt.Errorf("record of a CPU: %w", err)
		}
		if to = append(to, parseCore(head[:], now)); len(to) == t.cpus {
			break // the rest is the end of a page
		}
	}
	return to, nil
}

// parseCore reads the fields of a record. They change meanwhile: a wait that
// seems to begin later than now has no length.
func parseCore(record []byte, now uint64) Core {
	field := func(at int) uint64 { return binary.NativeEndian.Uint64(record[at:]) }
	c := Core{Primary: field(atKind) == primary, Batch: field(atKind) == batch, Waiter: int(int32(field(atWaiter)))}
	if queued := field(atQueued); c.Waiter != 0 && queued < now {
		c.Waits = time.Duration(now - queued)
	}
	return c
}
