package lines

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"

	"lull/subjects/spec"
)

// held is the number of a task's input files that stay open from the check of their pins
// until they are read. A task may have thousands, and the process few descriptors.
const held = 256

// Inputs are the opened files of ranges; each matched its pin. Inputs must not be used by several
// goroutines at once.
type Inputs struct {
	open   Open
	ranges []spec.Range
	files  []opened // by range
}

// opened is a file as it was when OpenAll opened it.
type opened struct {
	file File // nil once it is closed, or beyond held
	is   identity
}

// OpenAll opens each range's file once and compares it with its pin, before the task starts. open
// chooses the user whose rights are used; nil means OpenFile. Copy calls open again for the files
// beyond held, which must be unchanged.
func OpenAll(ranges []spec.Range, open Open) (*Inputs, error) {
	if open == nil {
		open = OpenFile
	}
	in := &Inputs{open: open, ranges: ranges, files: make([]opened, len(ranges))}
	soon := ahead{left: aheadBytes}
	for i, r := range ranges {
		if i > 0 && samePin(r, ranges[i-1]) {
			in.files[i].is = in.files[i-1].is
			continue
		}
		f, is, err := openPinned(r, open)
		if err != nil {
			in.Close()
			return nil, err
		}
		in.files[i] = opened{f, is}
		if i >= held {
			in.files[i].file = nil
			_ = f.Close() // read only
		} else if len(ranges) > 1 { // a single file is handed over as it is
			soon.begin(f, r)
		}
	}
	return in, nil
}

func samePin(a, b spec.Range) bool {
	return a.Path == b.Path && a.Size == b.Size && a.MTime == b.MTime
}

// First returns the first range's open file, which the caller must close; nil if there is
// none.
func (in *Inputs) First() File {
	if len(in.files) == 0 {
		return nil
	}
	f := in.files[0].file
	in.files[0].file = nil
	return f
}

// CompareFirst fails if the file that First returned has changed since OpenAll, or grew and was read beyond its pin.
func (in *Inputs) CompareFirst(f File) error {
	if err := in.compare(0, f); err != nil {
		return err
	}
	seeker, ok := f.(io.Seeker)
	if !ok {
		return nil
	}
	r := in.ranges[0]
	if at, err := seeker.Seek(0, io.SeekCurrent); err == nil && at > r.Size {
		if info, err := f.Stat(); err == nil && info.Size() > r.Size {
			return &InputError{r.Path, fmt.Errorf("grew while the task read it, to %d bytes: the task read more than the %d that were submitted", info.Size(), r.Size)}
		}
	}
	return nil
}

// FirstGrew reports whether the first range's file has become longer than its pin: a task that is given the file
// itself would read on.
func (in *Inputs) FirstGrew() bool { return len(in.files) > 0 && in.files[0].is.written == 0 }

// Close closes what is still open.
func (in *Inputs) Close() {
	for i := range in.files {
		if f := in.files[i].file; f != nil {
			_ = f.Close() // read only
			in.files[i].file = nil
		}
	}
}

// Copy writes the lines of the ranges to w, in order, closes the files it has read, and returns how many
// bytes w took. It fails with an *InputError when a file cannot be read, and otherwise with w's own error.
// A final line without a line end stays without one, except where a range Ends and another follows. Many small ranges are written at once.
func (in *Inputs) Copy(w io.Writer) (total int64, err error) {
	most, all := in.sizes()
	buf, out := make([]byte, most), bufio.NewWriterSize(w, all)
	for i := 0; i < len(in.ranges) && err == nil; i++ {
		var n int64
		n, err = in.copy(out, i, buf)
		total += n
	}
	// The task gets what was read before an error.
	err = cmp.Or(err, out.Flush())
	return total - int64(out.Buffered()), err
}

// sizes returns the buffer sizes for the longest range and for all ranges, at most bufferBytes
// each. The shim's heap is small, and two whole buffers a task would keep its garbage collector
// busy.
func (in *Inputs) sizes() (most, all int) {
	most, all = 1, 1
	for _, r := range in.ranges {
		n := int(min(max(r.Length, 0), bufferBytes))
		most, all = max(most, n), min(all+n, bufferBytes)
	}
	return most, all
}

func (in *Inputs) copy(w io.Writer, i int, buf []byte) (int64, error) {
	f, err := in.takeFile(i)
	if err != nil {
		return 0, err
	}
	r := in.ranges[i]
	defer in.pass(i, f)
	begin, end, err := Bounds(f, r)
	if err != nil {
		return 0, err
	}
	n, err := copySection(w, f, r.Path, begin, end, buf)
	if err == nil && r.Ends && i+1 < len(in.ranges) {
		var ended int64
		ended, err = endLine(w, f, begin, end)
		n += ended
	}
	if err != nil {
		return n, err
	}
	return n, in.compare(i, f) // what was read of a file that changed meanwhile is of neither version
}

// pass hands a file to the next range if that is of the same file, and closes it otherwise.
func (in *Inputs) pass(i int, f File) {
	if i+1 < len(in.ranges) && in.files[i+1].file == nil && samePin(in.ranges[i], in.ranges[i+1]) {
		in.files[i+1].file = f
		return
	}
	_ = f.Close() // read only
}

var errSwapped = errors.New("changed while the task ran: another file is in its place (submit again)")

// takeFile returns a range's file, which must be unchanged since OpenAll.
func (in *Inputs) takeFile(i int) (f File, err error) {
	was := &in.files[i]
	if f, was.file = was.file, nil; f == nil {
		if f, _, err = openPinned(in.ranges[i], in.open); err != nil {
			return nil, err
		}
	}
	if err := in.compare(i, f); err != nil {
		_ = f.Close() // read only
		return nil, err
	}
	return f, nil
}

// compare fails if a range's open file is not as it was when OpenAll opened it.
func (in *Inputs) compare(i int, f File) error {
	now, err := pinned(f, in.ranges[i])
	if err == nil && !in.files[i].is.same(now) {
		err = errSwapped
	}
	if err != nil {
		return &InputError{in.ranges[i].Path, err}
	}
	return nil
}
