package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lull/subjects/history"
)

const (
	// keptDays is how many days have a journal.
	keptDays = 8
	// suffix ends a journal's name; the name of its block is before it.
	suffix = ".journal"
	// headBytes are the length and the checksum before an entry.
	headBytes = 8
	// mostBytes bounds a journal: a day of samples has 40 KB, and parts of steps add to it.
	mostBytes = 1 << 20
)

// day is the samples of one UTC day, and its journal.
type day struct {
	block  history.Block
	path   string
	size   int64
	unsent bool
	// waiting has the samples that are not on the disk yet. They are not in the block: a block may
	// contain only what is on the disk, or the first block after a restart would take it back.
	waiting []Sample
}

// openDays reads the journals of a folder and removes old ones.
func openDays(folder string) (days []*day, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("folder of samples: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("folder of samples: %w", err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		d, rerr := readDay(filepath.Join(folder, e.Name()))
		if err = errors.Join(err, rerr); d != nil && len(d.block.Samples) > 0 {
			days = append(days, d)
		}
	}
	slices.SortFunc(days, func(a, b *day) int { return int(a.block.From - b.block.From) })
	return days, err
}

// readDay reads a journal, and skips bytes that are no entry. The pool may have the entries behind
// them, and the next block of the day replaces the pool's. A torn end is cut off.
func readDay(path string) (*day, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("journal of samples: %w", err)
	}
	d := &day{path: path, unsent: true}
	for at := 0; at < len(body); {
		entry, n := next(body[at:])
		if n == 0 {
			at++
			continue
		}
		for i, s := range entry.Samples {
			d.block.Add(entry.From+int64(i), s, entry.Owners[s.Owner])
		}
		at += n
		d.size = int64(at)
	}
	if d.size < int64(len(body)) {
		if err := os.Truncate(path, d.size); err != nil {
			return d, fmt.Errorf("cut the damaged end of a journal of samples off: %w", err)
		}
	}
	return d, nil
}

// next returns the first entry and its bytes, 0 if there is no valid one.
func next(rest []byte) (entry history.Block, n int) {
	if len(rest) < headBytes {
		return entry, 0
	}
	size := binary.LittleEndian.Uint32(rest)
	if size > history.MaxBody || int(size) > len(rest)-headBytes {
		return entry, 0
	}
	body := rest[headBytes : headBytes+int(size)]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(rest[4:]) || entry.Decode(body) != nil {
		return history.Block{}, 0
	}
	return entry, headBytes + int(size)
}

// append writes an entry behind the journal's last one. The disk may be full: then what was
// written of the entry is cut off.
func (d *day) append(entry *history.Block) error {
	body := entry.Append(make([]byte, headBytes))
	binary.LittleEndian.PutUint32(body, uint32(len(body)-headBytes))
	binary.LittleEndian.PutUint32(body[4:], crc32.ChecksumIEEE(body[headBytes:]))
	if d.size+int64(len(body)) > mostBytes {
		return fmt.Errorf("journal of samples %s is full (%d bytes)", d.path, d.size)
	}
	f, err := os.OpenFile(d.path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("journal of samples: %w", err)
	}
	if _, err = f.WriteAt(body, d.size); err == nil {
		d.size += int64(len(body))
	} else {
		err = errors.Join(fmt.Errorf("journal of samples: %w", err), f.Truncate(d.size))
	}
	return errors.Join(err, f.Close())
}
