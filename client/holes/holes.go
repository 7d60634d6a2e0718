// Package holes finds and reads what is not in the holes of a file.
//
//	data, sparse := holes.Find(file, size)
//	n, err := io.Copy(hash, holes.NewReader(file, data))
//
// `truncate -s 8G file` makes a file that has no byte on the disk. Hashing it as it reads would take a core for
// half a minute, and copying it would fill the disk with zeros.
package holes

import (
	"errors"
	"io"
	"os"
	"sort"
	"syscall"

	"golang.org/x/sys/unix"

	"lull/subjects/manifest"
)

// worth is how many bytes of holes are worth a form of its own: hashing them takes some 50 ms. Releases before it
// can read files with fewer.
const worth = 64 << 20

// Find returns the parts of an open file that are not in holes. It reports false for a file with few holes, with too
// many parts, and on a file system that does not know its holes.
func Find(f *os.File, size int64) (data []manifest.Extent, sparse bool) {
	var st unix.Stat_t
	if unix.Fstat(int(f.Fd()), &st) != nil || size-512*st.Blocks < worth {
		return nil, false
	}
	for at := int64(0); at < size; {
		begin, err := unix.Seek(int(f.Fd()), at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			break // the rest is a hole
		}
		end, e := unix.Seek(int(f.Fd()), begin, unix.SEEK_HOLE)
		if err != nil || e != nil || len(data) == manifest.MaxExtents {
			return nil, rewind(f, false)
		}
		end = min(end, size)
		if end > begin {
			data = append(data, manifest.Extent{Offset: begin, Length: end - begin})
		}
		at = end
	}
	return data, rewind(f, true)
}

// rewind goes back to the file's beginning.
func rewind(f *os.File, sparse bool) bool {
	_, err := f.Seek(0, io.SeekStart)
	return sparse && err == nil
}

// Reader reads the extents of a file one after the other. It can seek in them.
type Reader struct {
	from io.ReaderAt
	data []manifest.Extent
	ends []int64 // of each extent, in the bytes that are read
	at   int64
}

var _ io.ReadSeeker = (*Reader)(nil)

// NewReader returns a reader of the extents, which are in order.
func NewReader(from io.ReaderAt, data []manifest.Extent) *Reader {
	r := &Reader{from: from, data: data}
	n := int64(0)
	for _, e := range data {
		n += e.Length
		r.ends = append(r.ends, n)
	}
	return r
}

// Size is how many bytes the extents have.
func (r *Reader) Size() int64 {
	if len(r.ends) == 0 {
		return 0
	}
	return r.ends[len(r.ends)-1]
}

// Read reads up to the end of an extent.
func (r *Reader) Read(b []byte) (int, error) {
	offset, left := r.place()
	if left == 0 {
		return 0, io.EOF
	}
	n, err := r.from.ReadAt(b[:min(int64(len(b)), left)], offset)
	r.at += int64(n)
	if errors.Is(err, io.EOF) {
		if n > 0 {
			return n, nil
		}
		return n, io.ErrUnexpectedEOF // the file has become shorter
	}
	return n, err
}

// Seek moves to a place in the extents.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.Size()
	}
	if offset < 0 {
		return 0, syscall.EINVAL
	}
	r.at = offset
	return offset, nil
}

// place returns the offset in the file of the next byte, and how many bytes its extent has from there on; 0 at
// the end.
func (r *Reader) place() (offset, left int64) {
	i := sort.Search(len(r.ends), func(i int) bool { return r.ends[i] > r.at })
	if i == len(r.ends) {
		return 0, 0
	}
	left = r.ends[i] - r.at
	return r.data[i].End() - left, left
}

// Writer writes the bytes of extents to their places in a file. The rest stays holes.
type Writer struct {
	to io.WriterAt
	r  *Reader
}

// NewWriter returns a writer of the extents, which are in order.
func NewWriter(to io.WriterAt, data []manifest.Extent) *Writer {
	return &Writer{to, NewReader(nil, data)}
}

// Write writes the next bytes. More than the extents have are an error.
func (w *Writer) Write(b []byte) (done int, err error) {
	for len(b) > 0 && err == nil {
		offset, left := w.r.place()
		if left == 0 {
			return done, io.ErrShortWrite
		}
		var n int
		n, err = w.to.WriteAt(b[:min(int64(len(b)), left)], offset)
		w.r.at += int64(n)
		done, b = done+n, b[n:]
	}
	return done, err
}

// Restart makes the next bytes the first ones.
func (w *Writer) Restart() { w.r.at = 0 }
