// Package manifest is the form of a committed output: its files, and their bytes' digests.
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

// Manifest lists the files of an attempt's output, sorted by path.
type Manifest struct {
	Files []File `msgpack:"files"`
}

// File is one file of an output.
type File struct {
	Path string `msgpack:"path"` // below out/, with slashes
	Size int64  `msgpack:"size"`
	Mode uint32 `msgpack:"mode"` // permission bits
	Sum  []byte `msgpack:"sum"`  // SHA-256
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
// is ErrDamaged. It refuses paths that lead out of their folder, and modes with more than
// permission bits. Otherwise a host could turn a copied file into a program that runs with the
// rights of the user that copied it.
func Decode(b []byte, want subjects.Digest) (Manifest, error) {
	if digest(b) != want {
		return Manifest{}, Damaged("the manifest is damaged: its digest is %x, the log says %x", digest(b), want)
	}
	var m Manifest
	if err := subjects.Unmarshal(b, &m); err != nil {
		return m, err
	}
	for _, f := range m.Files {
		if !fs.ValidPath(f.Path) || !Plain(f.Path) || len(f.Sum) != sha256.Size || f.Size < 0 || f.Mode > 0o777 {
			return m, fmt.Errorf("the manifest lists a file that cannot be an output: %q (its path, size, mode or checksum is invalid)", f.Path)
		}
	}
	return m, nil
}

// Fits compares a file's size with the manifest's.
func (f File) Fits(size int64) error {
	if size != f.Size {
		return Damaged("file %s is damaged: it has %d bytes, its manifest says %d", f.Path, size, f.Size)
	}
	return nil
}

// Check compares what was read of a file with the manifest. Its error is ErrDamaged.
func (f File) Check(size int64, sum []byte) error {
	if size != f.Size || !bytes.Equal(sum, f.Sum) {
		return Damaged("file %s is damaged: %d bytes with SHA-256 %x, its manifest says %d with %x", f.Path, size, sum, f.Size, f.Sum)
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
