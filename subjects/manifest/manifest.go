// Package manifest is the form of a committed output: its files, and their bytes' digests, its symbolic
// links and its empty folders.
// Hosts write it and serve it, and every reader of an output checks what comes by it.
package manifest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"lull/subjects"
)

// Manifest lists the files, links and empty folders of an attempt's output, folder by folder and sorted
// by name in each.
type Manifest struct {
	Files []File `msgpack:"files"`
}

// File is one file of an output, or a link or an empty folder. Those two have no size, mode and sum. So releases
// that know only files refuse a manifest with one: they would make an empty file of it.
type File struct {
	Path   string `msgpack:"path"` // below out/, with slashes
	Size   int64  `msgpack:"size"`
	Mode   uint32 `msgpack:"mode"`             // permission bits
	Sum    []byte `msgpack:"sum"`              // SHA-256
	Link   string `msgpack:"link,omitempty"`   // of a symbolic link: its target, see Inside
	Folder bool   `msgpack:"folder,omitempty"` // it is an empty folder
	Holes  *Holes `msgpack:"holes,omitempty"`  // of a file that is mostly holes, which has no Sum
}

// Regular reports whether it is a file, with bytes.
func (f File) Regular() bool { return f.Link == "" && !f.Folder }

// HostMode is the mode that hosts keep the file with: all may read it, and run it if its owner may. The next stage's
// tasks run as other users than the task that made it, with a umask of 077 or by mktemp perhaps.
func (f File) HostMode() fs.FileMode {
	owner := fs.FileMode(f.Mode) & 0o500
	return fs.FileMode(f.Mode) | owner>>3 | owner>>6
}

// Encode returns the manifest's bytes, the same for the same files, and their
// digest. Without files both are zero.
func (m Manifest) Encode() ([]byte, subjects.Digest, error) {
	if len(m.Files) == 0 {
		return nil, subjects.Digest{}, nil
	}
	b, err := subjects.Marshal(&m)
	return b, digest(b), err
}

func digest(b []byte) subjects.Digest {
	sum := sha256.Sum256(b)
	return subjects.Digest(sum[:len(subjects.Digest{})])
}

// Decode reads a manifest from anywhere and checks it against the digest in the log: a difference
// is ErrDamaged. It refuses what Validate refuses.
func Decode(b []byte, want subjects.Digest) (Manifest, error) {
	if digest(b) != want {
		return Manifest{}, Damaged("the manifest is damaged: its digest is %x, the log says %x", digest(b), want)
	}
	var m Manifest
	if err := subjects.Unmarshal(b, &m); err != nil {
		return m, err
	}
	return m, m.Validate()
}

// Fits compares a file's size with the manifest's.
func (f File) Fits(size int64) error {
	if size != f.Size {
		return Damaged("file %s is damaged: it has %d bytes, its manifest says %d", f.Path, size, f.Size)
	}
	return nil
}

// Check compares what was read of a file's extents with the manifest. Its error is ErrDamaged.
func (f File) Check(size int64, sum []byte) error {
	if size != f.Stored() || !bytes.Equal(sum, f.Hash()) {
		return Damaged("file %s is damaged: %d bytes with SHA-256 %x, its manifest says %d with %x", f.Path, size, sum, f.Stored(), f.Hash())
	}
	return nil
}

// Plain reports whether a path can stand on a line of a list and in JSON.
func Plain(path string) bool { return utf8.ValidString(path) && !strings.ContainsAny(path, "\n\r") }

// ErrDamaged says that the bytes of a manifest or file are not those that were committed.
var ErrDamaged = errors.New("damaged")

// damage is ErrDamaged in words of its own.
type damage struct{ error }

func (damage) Is(target error) bool { return target == ErrDamaged }
func (d damage) Unwrap() error      { return d.error }

// Damaged returns an ErrDamaged in words of its own.
func Damaged(format string, args ...any) error { return damage{fmt.Errorf(format, args...)} }
