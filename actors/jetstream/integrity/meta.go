package integrity

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// readMeta reads the meta data and their checksum.
func (s *stream) readMeta() {
	meta, err := os.ReadFile(filepath.Join(s.dir, metaFile))
	sum, sumErr := os.ReadFile(filepath.Join(s.dir, sumFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.metaWhy = metaFile + " is missing"
	case errors.Is(sumErr, fs.ErrNotExist):
		s.metaWhy = sumFile + " is missing"
	case err != nil || sumErr != nil:
		s.metaWhy = errors.Join(err, sumErr).Error()
	case !bytes.Equal(metaSum(s.name, meta), sum):
		s.metaWhy = metaFile + " does not match " + sumFile
	default:
		s.meta, s.created = meta, createdOf(meta)
	}
}

func metaSum(stream string, meta []byte) []byte {
	h := newHash(stream)
	h.Write(meta)
	return []byte(hex.EncodeToString(h.Sum(nil)))
}

// createdOf is the creation time of a stream, which distinguishes streams of one name.
func createdOf(meta []byte) time.Time {
	var m struct {
		Created time.Time `json:"created"`
	}
	_ = json.Unmarshal(meta, &m) // after an error it is zero, which no stream has
	return m.Created
}

// restoreMeta plans to restore the meta data, without which the server ignores the
// stream: from the copy in the mark, or from their checksum.
func (c *check) restoreMeta(s *stream, seen Witness) {
	meta, from := seen.Meta, "from the copy in "+c.Mark
	if len(meta) == 0 {
		meta, from = guessMeta(s), "as their checksum says that they were"
	}
	why := s.metaWhy
	if len(meta) == 0 {
		c.lost = append(c.lost, Lost{Pool: poolOf(s.name), What: "stream " + s.name, File: filepath.Join(s.dir, metaFile), Why: why + ", and no copy of it is kept"})
		c.plan(func() error { return c.moveAside(s.dir) }, "%s: %s; the stream begins anew, what is left of it is in %s", s.dir, why, c.Aside)
		return
	}
	s.meta, s.created = meta, createdOf(meta)
	c.plan(func() error { return writeMeta(s, meta) }, "%s: %s; the meta data are put back %s", s.dir, why, from)
}

func writeMeta(s *stream, meta []byte) error {
	if err := os.MkdirAll(filepath.Join(s.dir, "msgs"), 0o750); err != nil {
		return err
	}
	return errors.Join(
		write(filepath.Join(s.dir, metaFile), meta, true),
		write(filepath.Join(s.dir, sumFile), metaSum(s.name, meta), true))
}

// guessMeta returns meta data that match the checksum after one byte of either was
// corrected, nil if there are none.
func guessMeta(s *stream) []byte {
	meta, err := os.ReadFile(filepath.Join(s.dir, metaFile))
	sum, sumErr := os.ReadFile(filepath.Join(s.dir, sumFile))
	if err != nil || len(meta) > 16<<10 {
		return nil
	}
	if own := metaSum(s.name, meta); sumErr != nil || differ(own, sum) == 1 {
		if createdOf(meta).IsZero() {
			return nil
		}
		return meta
	}
	for at := range meta {
		was := meta[at]
		for _, now := range otherValues(was) {
			if meta[at] = now; bytes.Equal(metaSum(s.name, meta), sum) {
				return meta
			}
		}
		meta[at] = was
	}
	return nil
}

func differ(a, b []byte) (n int) {
	if len(a) != len(b) {
		return len(a)
	}
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// moveAside puts a stream's folder out of the server's sight.
func (c *check) moveAside(dir string) error {
	if err := os.MkdirAll(c.Aside, 0o700); err != nil {
		return err
	}
	return os.Rename(dir, filepath.Join(c.Aside, filepath.Base(dir)))
}
