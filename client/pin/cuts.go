package pin

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lull/subjects/spec"
)

// maxHead bounds a header, in bytes.
const maxHead = 1 << 20

// Cut finds where the files of a stage may be cut, and what their headers are. It refuses to split files
// that cannot be cut at line ends, such as compressed ones.
func (in *Inputs) Cut(ctx context.Context, need spec.Need) error {
	if need.Split > 0 {
		for _, f := range in.Files {
			if err := splittable(f, need.Split); err != nil {
				return err
			}
		}
	}
	if need.Header == 0 && need.Record == "" {
		return nil
	}
	_, err := Await(ctx, func() (struct{}, error) { return struct{}{}, in.look(ctx, need) })
	return err
}

// look reads the files' headers, and where their records end.
func (in *Inputs) look(ctx context.Context, need spec.Need) error {
	var head []byte
	var first string
	for i := range in.Files {
		f := &in.Files[i]
		own, err := shape(ctx, f, need)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		if len(own) > 0 && head == nil {
			head, first = own, f.Path
		}
		if len(own) > 0 && !bytes.Equal(bytes.TrimRight(own, "\r\n"), bytes.TrimRight(head, "\r\n")) {
			return fmt.Errorf("the header of %s is not that of %s, and a task that reads both gets one: make a stage for each kind of file", f.Path, first)
		}
	}
	return nil
}

// shape looks at one file, and returns its header.
func shape(ctx context.Context, f *spec.File, need spec.Need) (head []byte, err error) {
	if spec.IsURL(f.Path) {
		return nil, errors.New("record and header are of files that this machine can read: download it and name the file")
	}
	file, err := OpenRegular(f.Path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it is only read
	r := &records{from: bufio.NewReaderSize(io.LimitReader(file, f.Size), 1<<20), quoted: need.Record == spec.RecordCSV, fresh: true}
	if head, err = r.head(need.Header); err != nil {
		return nil, err
	}
	f.Head = r.at
	if need.Record != "" && f.Size > need.Split && need.Split > 0 {
		f.Cuts, err = r.cuts(ctx, f.CutsOf(need.Split), f.Size)
	}
	return head, err
}

// records reads where the records of a file end.
type records struct {
	from   *bufio.Reader
	quoted bool // line ends in quotes do not end a record
	at     int64
	open   bool // in quotes
	fresh  bool // at the beginning of a value
	quote  bool // the last byte was a quote that may close the value
}

// next reads one byte, and reports whether it ends a record. A quote opens a value only at its beginning: 5" is
// a value without quotes.
func (r *records) next() (b byte, end bool, err error) {
	if b, err = r.from.ReadByte(); err != nil {
		return 0, false, err
	}
	r.at++
	if !r.quoted {
		return b, b == '\n', nil
	}
	if r.open {
		switch {
		case b == '"':
			r.quote = !r.quote
			return b, false, nil
		case !r.quote:
			return b, false, nil
		}
		r.open, r.quote = false, false // the byte before closed the value
		if b != '\r' && b != '\n' && !separates(b) {
			return 0, false, fmt.Errorf("a value goes on behind its closing quote, at byte %d, so it is not known where records end: quotes in a value are doubled in csv", r.at)
		}
	} else if b == '"' && r.fresh {
		r.open, r.fresh = true, false
		return b, false, nil
	}
	r.fresh = separates(b) || b == '\n' || r.at <= 3 && b == "\xef\xbb\xbf"[r.at-1]
	return b, b == '\n', nil
}

// separates reports whether a byte stands between two values, in one of the kinds of csv.
func separates(b byte) bool { return strings.IndexByte(",;\t|", b) >= 0 }

// head reads the first records.
func (r *records) head(n int) (head []byte, err error) {
	for n > 0 {
		b, end, err := r.next()
		if errors.Is(err, io.EOF) {
			return head, nil
		}
		if err != nil {
			return nil, err
		}
		if head = append(head, b); len(head) > maxHead {
			return nil, fmt.Errorf("its first %d lines have more than %d bytes: a header is shorter", n, maxHead)
		}
		if end {
			n--
		}
	}
	return head, nil
}

// cuts returns the first ends of records from each of the places on.
func (r *records) cuts(ctx context.Context, places []int64, size int64) (cuts []int64, err error) {
	cuts = []int64{} // nil would allow any
	for lines := 0; len(places) > 0; {
		_, end, err := r.next()
		if errors.Is(err, io.EOF) {
			if r.at < size {
				return nil, errors.New("it became shorter while it was read")
			}
			break
		}
		if err != nil {
			return nil, err
		}
		if !end || r.at < places[0] {
			continue
		}
		if lines++; lines%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.at < size {
			cuts = append(cuts, r.at)
		}
		places = slices.DeleteFunc(places, func(p int64) bool { return p <= r.at })
	}
	if r.open && !r.quote && len(places) > 0 {
		return nil, errors.New("a quote is not closed up to its end, so no record ends there: is it csv?")
	}
	return cuts, nil
}
