package inputs

import (
	"bufio"
	"errors"
	"os"
	"slices"

	"lull/hostctl/shim"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/manifest"
	"lull/subjects/spec"
)

// Piece is a file of an earlier stage's output that a task reads. For a publisher it may be a link or an
// empty folder.
type Piece struct {
	From  int    // index among the stages that the task's stage reads
	Name  string // below that stage's folder, with slashes: the task's number, then the file's path
	File  manifest.File
	Path  string // its path on this host, now or once it is fetched
	Local bool   // this host keeps it
	// Dense says that Path has only what is not in the file's holes.
	Dense bool
}

// Input is what a task reads.
type Input struct {
	Ranges []spec.Range
	// Trees are folders below in/ that the next reader may reuse: see store.Inputs.Release.
	Trees []store.Tree
	// Fetch is what was copied from other hosts.
	Fetch subjects.Fetch
}

// Whole returns the input that consists of whole files. What a link leads to is no input for a second time.
func Whole(pieces []Piece) Input {
	in := Input{Ranges: make([]spec.Range, 0, len(pieces))}
	for _, p := range pieces {
		if !p.File.Regular() {
			continue
		}
		size := p.File.Size
		if p.Dense {
			size = p.File.Stored()
		}
		in.Ranges = append(in.Ranges, spec.Range{Path: p.Path, Size: size, Length: size})
	}
	return in
}

// Bytes returns the length of the input.
func (in Input) Bytes() (n int64) {
	for _, r := range in.Ranges {
		n += r.Length
	}
	return n
}

// manyRanges is the number of ranges from which a file carries them: a message to the shim
// holds 16 MiB.
const manyRanges = 4096

// Stdin returns the standard input for the shim, without ranges that have no bytes. It writes
// many ranges to a file in the folder.
func (in Input) Stdin(folder store.Folder) (shim.Stdin, error) {
	ranges := slices.DeleteFunc(slices.Clone(in.Ranges), func(r spec.Range) bool { return r.Length == 0 })
	if len(ranges) <= manyRanges {
		return shim.Stdin{Ranges: ranges}, nil
	}
	b, err := subjects.Marshal(ranges)
	if err == nil {
		err = os.MkdirAll(folder.In(), 0o755)
	}
	path := folder.In() + "/.ranges" // no stage can have this name
	return shim.Stdin{List: path}, errors.Join(err, os.WriteFile(path, b, 0o644))
}

// WriteList writes the paths of the input to a file, one a line, and returns the file's path; ""
// if there are none.
func (in Input) WriteList(folder store.Folder) (string, error) {
	if len(in.Ranges) == 0 {
		return "", nil
	}
	f, err := os.Create(folder.List())
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(f)
	for _, r := range in.Ranges {
		_, _ = w.WriteString(r.Path + "\n") // Flush returns its error
	}
	if err := w.Flush(); err != nil {
		_ = f.Close()
		return "", err
	}
	return f.Name(), f.Close()
}
