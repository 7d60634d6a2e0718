package trace

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

// maxLine bounds a line: 30 days of one-second samples are 13 MB.
const maxLine = 32 << 20

// lines reads a file, plain or gzipped, line by line.
type lines struct {
	file string
	r    *bufio.Reader
	n    int // of the line that was read last
	buf  []byte
}

// openLines recognises gzip by the first bytes, whatever the file's name.
func openLines(r io.Reader, file string) (*lines, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	magic, err := b.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fileError(file, 0, 0, "it cannot be read: %v", err)
	}
	if len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fileError(file, 0, 0, "it begins as gzip and goes on otherwise (%v): fetch it again", err)
		}
		b = bufio.NewReaderSize(z, 64<<10)
	}
	if mark, _ := b.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = b.Discard(3) // spreadsheets begin UTF-8 with a mark
	}
	return &lines{file: file, r: b}, nil
}

// next returns the next line that is not blank, valid until the one after it.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.read()
		if err != nil || len(trim(line)) > 0 {
			return trim(line), err
		}
	}
}

func (l *lines) read() ([]byte, error) {
	l.n++
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		l.buf = append(l.buf, part...)
		switch {
		case len(l.buf) > maxLine:
			return nil, fileError(l.file, l.n, 0, "it is longer than %d MB: is this a CSV file?", maxLine>>20)
		case err == nil || errors.Is(err, io.EOF) && len(l.buf) > 0:
			return l.buf, nil
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, fileError(l.file, l.n, 0, "it cannot be read to its end (%v): fetch the file again", err)
		}
	}
}

func trim(line []byte) []byte {
	for n := len(line); n > 0 && (line[n-1] == '\n' || line[n-1] == '\r'); n-- {
		line = line[:n-1]
	}
	return line
}
