package spread

import "sync/atomic"

// Tally counts the outcomes of moves, since the first move in the note file.
type Tally struct {
	Moved  uint64 // threads that were moved
	Left   uint64 // had ended, or are bound to some CPUs
	Failed uint64 // the kernel did not restore the mask
}

func addAtomic(n *uint64) { atomic.AddUint64(n, 1) }

// read returns what was counted until now, by whichever process.
func (t *Tally) read() Tally {
	return Tally{atomic.LoadUint64(&t.Moved), atomic.LoadUint64(&t.Left), atomic.LoadUint64(&t.Failed)}
}

// TallyReader is the note of moves, for reading.
type TallyReader struct{ note *note }

// OpenTally opens the note at path, which it makes if need be.
func OpenTally(path string) (*TallyReader, error) {
	n, err := openNote(path)
	return &TallyReader{n}, err
}

// Tally is what was counted until now.
func (b *TallyReader) Tally() Tally { return b.note.tally.read() }

// Close closes the note file.
func (b *TallyReader) Close() error { return b.note.close() }
