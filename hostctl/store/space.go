package store

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Space returns the free and total bytes of the disk that the store is on. A disk that is short of inodes takes
// no further file, however many bytes are free: then the share of its inodes that is free counts, of all bytes.
func (s *Store) Space() (free, total int64, err error) {
	st, err := s.disk()
	if err != nil {
		return 0, 0, err
	}
	free, total = st.bytes()
	if per := st.perFile(); per > 0 {
		free = int64(st.Ffree) * per
	}
	return free, total, nil
}

// PerFile returns the bytes that each file counts for, whatever its size, if the disk is short of inodes rather
// than of bytes; 0 otherwise.
func (s *Store) PerFile() int64 {
	st, err := s.disk()
	if err != nil {
		return 0
	}
	return st.perFile()
}

func (s *Store) disk() (st statfs, err error) {
	if err := unix.Statfs(s.root, (*unix.Statfs_t)(&st)); err != nil {
		return st, fmt.Errorf("free space of %s: %w", s.root, err)
	}
	return st, nil
}

// statfs is what the kernel says of a file system.
type statfs unix.Statfs_t

func (st *statfs) bytes() (free, total int64) {
	return int64(st.Bavail) * st.Bsize, int64(st.Blocks) * st.Bsize
}

// perFile is how many bytes there are for each inode, if a smaller share of the inodes is free than of the
// bytes. Some file systems make inodes as they are needed, and say that they have none.
func (st *statfs) perFile() int64 {
	free, total := st.bytes()
	if st.Files == 0 || float64(st.Ffree)/float64(st.Files) >= float64(free)/float64(max(total, 1)) {
		return 0
	}
	return max(1, total/int64(st.Files))
}
