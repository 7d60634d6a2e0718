package integrity

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// write changes the files and removes the index, which the server makes anew.
func (e *edits) write() error {
	for _, b := range e.stream.blocks {
		cut := slices.DeleteFunc(slices.Clone(b.bad), func(s span) bool { return e.leavesToServer(b, s) })
		cut, err := e.withEarlier(b, cut)
		if err != nil {
			return err
		}
		put := slices.DeleteFunc(slices.Clone(e.voids), func(v insertion) bool { return v.block != b })
		if len(cut)+len(put) == 0 {
			continue
		}
		if err := e.rewrite(b, cut, put); err != nil {
			return err
		}
	}
	if err := e.append(); err != nil {
		return err
	}
	return removeFile(filepath.Join(e.stream.dir, "msgs", indexFile))
}

// withEarlier adds to cut the records of messages below e.below.
func (e *edits) withEarlier(b *block, cut []span) ([]span, error) {
	if e.below == 0 {
		return cut, nil
	}
	work := 0
	err := b.read(e.stream.name, &work, func(at int, r record) {
		if r.seq < e.below {
			cut = append(cut, span{from: at, to: at + r.size})
		}
	})
	slices.SortFunc(cut, func(a, b span) int { return a.from - b.from })
	return cut, err
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// rewrite replaces a block by one without the spans cut and with the records put.
func (e *edits) rewrite(b *block, cut []span, put []insertion) error {
	old, err := os.ReadFile(b.path)
	if err != nil {
		return err
	}
	if err := keepCopy(e.aside, e.stream.name, b.path, old); err != nil {
		return err
	}
	h := newHash(blockName(e.stream.name, b.index))
	var body []byte
	at := 0
	upto := func(to int) { body = append(body, old[at:max(at, to)]...); at = max(at, to) }
	for len(cut)+len(put) > 0 {
		if len(put) == 0 || len(cut) > 0 && cut[0].from < put[0].at {
			upto(cut[0].from)
			at, cut = cut[0].to, cut[1:]
			continue
		}
		upto(put[0].at)
		body, put = encode(h, body, put[0].record), put[1:]
	}
	upto(len(old))
	if len(body) == 0 { // the server takes an empty block for a lost one
		return removeFile(b.path)
	}
	return write(b.path, body, true)
}

// append writes the tail as a block of its own.
func (e *edits) append() error {
	if len(e.tail) == 0 {
		return nil
	}
	index := uint32(1)
	if n := len(e.stream.blocks); n > 0 {
		index = e.stream.blocks[n-1].index + 1
	}
	h := newHash(blockName(e.stream.name, index))
	var body []byte
	for _, r := range e.tail {
		body = encode(h, body, r)
	}
	dir := filepath.Join(e.stream.dir, "msgs")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	return write(filepath.Join(dir, fmt.Sprint(index)+blockSuffix), body, true)
}

// keepCopy copies a file's content to the folder aside before the file is changed.
func keepCopy(aside, stream, path string, body []byte) error {
	if err := os.MkdirAll(aside, 0o700); err != nil {
		return err
	}
	return write(filepath.Join(aside, stream+"-"+filepath.Base(path)), body, true)
}
