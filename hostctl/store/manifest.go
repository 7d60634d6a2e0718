package store

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path/filepath"

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

// DecodeManifest reads a manifest from anywhere and checks it against the
// digest that the log names: a difference is ErrDamaged. It refuses paths that lead out of
// their folder, and modes with more than permission bits: a host could make the copy of a file a
// program that runs with the rights of the user that copied it.
func DecodeManifest(b []byte, want subjects.Digest) (Manifest, error) {
	if digest(b) != want {
		return Manifest{}, damaged("the manifest is damaged: its digest is %x, the log says %x", digest(b), want)
	}
	var m Manifest
	if err := subjects.Unmarshal(b, &m); err != nil {
		return m, err
	}
	for _, f := range m.Files {
		if !filepath.IsLocal(f.Path) || !plain(f.Path) || len(f.Sum) != sha256.Size || f.Size < 0 || f.Mode > 0o777 {
			return m, fmt.Errorf("the manifest names an impossible file %q", f.Path)
		}
	}
	return m, nil
}

// Fits compares a file's size with the manifest, without reading the file.
func (f File) Fits(info fs.FileInfo) error {
	if info.Mode().IsRegular() && info.Size() != f.Size {
		return damaged("file %s is damaged: it has %d bytes, its manifest says %d", f.Path, info.Size(), f.Size)
	}
	return nil
}

// Check compares what was read of a file with the manifest. Its error is ErrDamaged.
func (f File) Check(size int64, sum []byte) error {
	if size != f.Size || !bytes.Equal(sum, f.Sum) {
		return damaged("file %s is damaged: %d bytes with SHA-256 %x, its manifest says %d with %x", f.Path, size, sum, f.Size, f.Sum)
	}
	return nil
}
