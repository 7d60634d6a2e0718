package spec

import (
	"fmt"
	"hash/crc32"
	"io"
)

// tailBytes is how much of a file's end its tag covers.
const tailBytes = 4 << 10

// FileTag is the Tag of a file that may grow after it was pinned: its inode, and the checksum of the last bytes
// before size. The checksum tells a file that only grew from one that was written anew. Releases that do
// not know tags of files pass over them, and take each change of size or time for another file.
func FileTag(f io.ReaderAt, inode uint64, size int64) (string, error) {
	tail := make([]byte, min(size, tailBytes))
	if n, err := f.ReadAt(tail, size-int64(len(tail))); n < len(tail) {
		return "", err
	}
	return fmt.Sprintf("inode %d, tail %08x", inode, crc32.ChecksumIEEE(tail)), nil
}

// InodeOf returns the inode that a file's tag names, 0 for none.
func InodeOf(tag string) (inode uint64) {
	_, _ = fmt.Sscanf(tag, "inode %d,", &inode) // of another kind, or of a URL
	return inode
}
