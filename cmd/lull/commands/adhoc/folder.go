package adhoc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Folder keeps what the tasks wrote in files, in the layout of GNU parallel's --results:
//
//	DIR/1/VALUE/stdout, stderr, seq (the task's number), exitval (its exit status)
//	DIR/1/VALUE/2/VALUE/…                  with the values of two lists
//	DIR/1/NUMBER/…                         without values
//
// In a name a / of the value is \_, and a \ is \\. Values that cannot be a name as they are (none, a dot, two dots,
// one of more than 255 bytes) are \ and the task's number, and so are those that an earlier task has.
type Folder struct {
	dir   string
	line  Line
	first map[string]int // the first command with these values
}

// NewFolder makes the folder if it is missing.
func NewFolder(dir string, line Line) (*Folder, error) {
	f := &Folder{dir: dir, line: line, first: map[string]int{}}
	for number := range line.whole() {
		if key := strings.Join(line.row(number), "\x00"); line.Each != nil {
			if _, ok := f.first[key]; !ok {
				f.first[key] = number
			}
		}
	}
	return f, os.MkdirAll(dir, 0o777)
}

// of returns the folder of a command.
func (f *Folder) of(number int) string {
	row, own := f.line.row(number), `\`+strconv.Itoa(number+1)
	if row == nil {
		return filepath.Join(f.dir, "1", strconv.Itoa(number+1))
	}
	path := f.dir
	repeated := f.first[strings.Join(row, "\x00")] != number
	for i, value := range row {
		name := strings.NewReplacer(`\`, `\\`, "/", `\_`).Replace(value)
		if name == "" || name == "." || name == ".." || len(name) > maxName || repeated && i == len(row)-1 {
			name = own
		}
		path = filepath.Join(path, strconv.Itoa(i+1), name)
	}
	return path
}

// maxName is how many bytes a file's name may have.
const maxName = 255

// keep writes what is known of a command that ended, and makes its output go to files when it is shown.
func (f *Folder) keep(one *Result, number int, note func(error)) {
	dir := f.of(number)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		note(fmt.Errorf("--results: %w", err))
		return
	}
	for name, n := range map[string]int{"seq": number + 1, "exitval": one.Exit} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strconv.Itoa(n)+"\n"), 0o666); err != nil {
			note(fmt.Errorf("--results: %w", err))
		}
	}
	one.Stdout = &kept{one.Stdout, filepath.Join(dir, "stdout"), note}
	one.Stderr = &kept{one.Stderr, filepath.Join(dir, "stderr"), note}
}

// kept is a text that is also written to a file.
type kept struct {
	text io.WriterTo // nil for none
	path string
	note func(error)
}

// WriteTo returns the errors of out: a file that takes no more does not keep the text from being shown.
func (k *kept) WriteTo(out io.Writer) (int64, error) {
	file, err := os.Create(k.path)
	if err != nil {
		k.note(fmt.Errorf("--results: %w", err))
		return write(out, k.text)
	}
	to := &beside{file: file}
	n, shown := write(io.MultiWriter(out, to), k.text)
	if err := errors.Join(to.failed, file.Close()); err != nil {
		k.note(fmt.Errorf("--results: %w", err))
	}
	return n, shown
}

// beside writes to a file until that fails, and never says so to its caller.
type beside struct {
	file   *os.File
	failed error
}

func (b *beside) Write(text []byte) (int, error) {
	if b.failed == nil {
		_, b.failed = b.file.Write(text)
	}
	return len(text), nil
}
