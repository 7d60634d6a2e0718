package stdin

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	// leastFree is the free space, in bytes and as a part of the volume, below which stdin is not kept for another
	// attempt. It is twice what agents keep free.
	leastFree     = 128 << 20
	leastFreePart = 50
	// lookEvery is how many bytes are stored between two looks at the free space.
	lookEvery = 8 << 20
)

// store keeps the bytes of stdin in a file without a name, at their place in stdin. The Input's lock guards put and first.
type store struct {
	file   *os.File
	looked int64 // bytes that were stored at the last look at the free space
	narrow bool  // the volume has no room: what was taken is dropped
	from   int64 // the bytes before were dropped
}

func newStore(dir string) (*store, error) {
	f, err := unnamed(dir)
	if err != nil {
		return nil, err
	}
	s := &store{file: f}
	s.look()
	return s, nil
}

// first is the offset from which the bytes are there.
func (s *store) first() int64 { return s.from }

// put stores bytes at their place in stdin, of which the attempt has taken so many.
func (s *store) put(bytes []byte, at, taken int64) error {
	if at-s.looked >= lookEvery {
		s.looked = at
		s.look()
	}
	_, err := s.file.WriteAt(bytes, at)
	if errors.Is(err, unix.ENOSPC) && !s.narrow {
		s.narrow = true
		if err = s.drop(taken); err == nil {
			_, err = s.file.WriteAt(bytes, at)
		}
	}
	if err == nil && s.narrow {
		err = s.drop(taken)
	}
	return err
}

// look looks whether the volume has room to keep what was taken.
func (s *store) look() {
	var v unix.Statfs_t
	if unix.Fstatfs(int(s.file.Fd()), &v) != nil {
		return
	}
	if v.Bavail*uint64(v.Bsize) < max(leastFree, v.Blocks*uint64(v.Bsize)/leastFreePart) {
		s.narrow = true
	}
}

// drop gives the space of the first bytes back.
func (s *store) drop(end int64) error {
	if end -= end % piece; end <= s.from {
		return nil
	}
	err := unix.Fallocate(int(s.file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, s.from, end-s.from)
	if err != nil {
		return fmt.Errorf("the disk has no room: %w", err)
	}
	s.from = end
	return nil
}

func (s *store) get(to []byte, at int64) error {
	_, err := s.file.ReadAt(to, at)
	return err
}

func (s *store) close() error { return s.file.Close() }
