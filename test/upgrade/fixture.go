package upgrade

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lull/subjects"
)

// Fixture is the log and the snapshots that a release wrote.
type Fixture struct {
	// Entries are the whole log.
	Entries []Entry `msgpack:"entries"`
	// Snapshots are the services' snapshots at several entries, and the hosts'.
	Snapshots []Snapshot `msgpack:"snapshots"`
	// Jobs and Hosts are the states according to the release, by id and name: those
	// that its lull jobs and lull hosts print.
	Jobs  map[string]string `msgpack:"jobs"`
	Hosts map[string]string `msgpack:"hosts"`
}

// Entry is one message of a log.
type Entry struct {
	Seq     uint64            `msgpack:"seq"`
	Time    int64             `msgpack:"time"` // Unix nanoseconds
	Subject string            `msgpack:"subject"`
	Header  map[string]string `msgpack:"header,omitempty"`
	Body    []byte            `msgpack:"body"`
}

// Snapshot is an object of the snapshots' bucket.
type Snapshot struct {
	Name string `msgpack:"name"`
	Body []byte `msgpack:"body"`
}

const suffix = ".fixture.gz"

// Write stores a fixture under the name of its release.
func (f *Fixture) Write(dir, release string) error {
	body, err := subjects.Marshal(f)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if _, err := w.Write(body); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, release+suffix), b.Bytes(), 0o644) //nolint:gosec // it is committed for all to read
}

// Read returns the fixture of a file.
func Read(path string) (*Fixture, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was read
	r, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f := new(Fixture)
	if err := subjects.Unmarshal(body, f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
