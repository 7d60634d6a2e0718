package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lull/subjects"
	"lull/subjects/manifest"
)

// Output is what one attempt committed: a folder of files and the manifest that lists them. It
// need not exist.
type Output struct {
	path     string
	manifest string
	attempt  uint64
}

// Manifest reads the manifest in its bytes.
func (o Output) Manifest() ([]byte, error) { return os.ReadFile(o.manifest) }

// Listed reads the manifest and checks it against the digest in the log.
func (o Output) Listed(want subjects.Digest) (manifest.Manifest, error) {
	b, err := o.Manifest()
	if err != nil {
		return manifest.Manifest{}, fmt.Errorf("attempt %d: %w", o.attempt, err)
	}
	return manifest.Decode(b, want)
}

// Data returns the parts of a file that are not in its holes, by the output's own manifest.
func (o Output) Data(path string) ([]manifest.Extent, error) {
	b, err := o.Manifest()
	if err != nil {
		return nil, err
	}
	var m manifest.Manifest
	if err := subjects.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	for i := range m.Files {
		if f := &m.Files[i]; f.Path == path && f.Regular() {
			return f.Extents(), m.Validate()
		}
	}
	return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
}

// Open opens a file of the output. The path cannot lead out of the folder,
// neither by dots nor by links.
func (o Output) Open(path string) (*os.File, error) {
	if !filepath.IsLocal(path) {
		return nil, fmt.Errorf("%q is not below the output: %w", path, fs.ErrNotExist)
	}
	root, err := os.OpenRoot(o.path)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // read only
	return root.Open(path)
}

// Latest returns the folder of the newest attempt of a task that is kept.
func (s *Store) Latest(t Task) (Folder, error) {
	entries, err := os.ReadDir(s.task(t))
	if err != nil {
		return Folder{}, fmt.Errorf("job %s keeps nothing of stage %d task %d on this host: %w", t.Job, t.Stage, t.Task, fs.ErrNotExist)
	}
	var ids []uint64
	for _, e := range entries {
		if id, ok := attemptID(e.Name()); ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return Folder{}, fmt.Errorf("no attempt of stage %d task %d is kept on this host: %w", t.Stage, t.Task, fs.ErrNotExist)
	}
	return s.Folder(t, slices.Max(ids)), nil
}

func attemptID(name string) (uint64, bool) {
	digits, ok := strings.CutPrefix(name, "attempt-")
	id, err := strconv.ParseUint(digits, 10, 64)
	return id, ok && err == nil
}

// Jobs lists the jobs of which something is kept.
func (s *Store) Jobs() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(s.root, "jobs"))
	jobs := make([]string, 0, len(entries))
	for _, e := range entries {
		jobs = append(jobs, e.Name())
	}
	return jobs, err
}

// attempts lists the folders of all attempts of a job.
func (s *Store) attempts(job string) ([]Folder, error) {
	paths, err := filepath.Glob(s.job(job) + "/*/*/attempt-*")
	folders := make([]Folder, 0, len(paths))
	for _, path := range paths {
		if id, ok := attemptID(filepath.Base(path)); ok {
			folders = append(folders, Folder{path, id, s, Owner{}})
		}
	}
	return folders, err
}
