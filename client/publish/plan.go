package publish

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"

	"lull/subjects"
	"lull/subjects/manifest"
)

// Plan lists what to publish. The bytes of its files follow it, in order.
type Plan struct {
	Output  string `msgpack:"output"` // absolute
	Job     string `msgpack:"job"`
	Attempt uint64 `msgpack:"attempt"`
	Fence   bool   `msgpack:"fence"` // write nowhere else, where the kernel has Landlock
	// Keep keeps what another job had published there, in <output>/<stage>.previous.
	Keep bool `msgpack:"keep,omitempty"`
	// RetriesWhenFull says that the job publishes again by itself, until there is room.
	RetriesWhenFull bool    `msgpack:"waits,omitempty"`
	Stages          []Stage `msgpack:"stages"`
}

// Stage is a folder below the output.
type Stage struct {
	Name  string `msgpack:"name"`
	Files []File `msgpack:"files"`
}

// File is a file, a link or an empty folder below its stage's folder. Only a file has bytes.
type File struct {
	Path string `msgpack:"path"`          // with slashes, beginning with the task's number
	Size int64  `msgpack:"size"`          // bytes
	Mode uint32 `msgpack:"mode"`          // permission bits; the owner's right to write is added
	Sum  []byte `msgpack:"sum,omitempty"` // SHA-256; not compared if it is empty
	// Link is the target of a symbolic link, see manifest.Inside.
	Link   string `msgpack:"link,omitempty"`
	Folder bool   `msgpack:"folder,omitempty"` // it is an empty folder
	// Holes says what of the bytes are holes, which are made anew; nil for a file without. Its sum counts if there
	// is no other.
	Holes *manifest.Holes `msgpack:"holes,omitempty"`
	Dense bool            `msgpack:"dense,omitempty"` // the bytes that follow the plan leave out its holes
}

// manifest is the file as a manifest has it.
func (f *File) manifest() manifest.File {
	return manifest.File{Path: f.Path, Size: f.Size, Sum: f.Sum, Holes: f.Holes}
}

// maxPlan bounds a plan in bytes: some ten million files.
const maxPlan = 1 << 30

// Encode returns the plan in the form that ReadPlan reads.
func (p *Plan) Encode() ([]byte, error) {
	body, err := subjects.Marshal(p)
	return append(binary.BigEndian.AppendUint64(nil, uint64(len(body))), body...), err
}

// ReadPlan reads what Encode wrote.
func ReadPlan(from io.Reader) (p Plan, err error) {
	var size [8]byte
	if _, err := io.ReadFull(from, size[:]); err != nil {
		return p, fmt.Errorf("read what to publish: %w", err)
	}
	n := binary.BigEndian.Uint64(size[:])
	if n > maxPlan {
		return p, fmt.Errorf("read what to publish: the plan has %d bytes, at most %d are allowed", n, maxPlan)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(from, body); err != nil {
		return p, fmt.Errorf("read what to publish: %w", err)
	}
	if err := subjects.Unmarshal(body, &p); err != nil {
		return p, fmt.Errorf("read what to publish: %w", err)
	}
	return p, p.check()
}

// check refuses names that lead out of the folder they belong to.
func (p *Plan) check() error {
	if !filepath.IsAbs(p.Output) {
		return fmt.Errorf("output %q: it must be an absolute path", p.Output)
	}
	for _, s := range p.Stages {
		if !filepath.IsLocal(s.Name) || filepath.Base(s.Name) != s.Name {
			return fmt.Errorf("stage %q cannot be the name of a folder", s.Name)
		}
		for _, f := range s.Files {
			if !filepath.IsLocal(f.Path) || f.Size < 0 || f.Holes != nil && !f.Holes.Fit(f.Size) || f.Link != "" && !manifest.Inside(f.Path, f.Link) {
				return fmt.Errorf("stage %s: %q cannot be published: its path, size, mode or checksum is invalid", s.Name, f.Path)
			}
		}
	}
	return nil
}
