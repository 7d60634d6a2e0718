package adhoc

import (
	"bytes"
	"io"
)

// tagged begins each line of what is written through it with a tag and a tab.
type tagged struct {
	to     io.Writer
	tag    []byte
	inside bool // of a line
}

func (t *tagged) Write(text []byte) (int, error) {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		if !t.inside {
			b.Write(t.tag)
		}
		b.Write(line)
		t.inside = line[len(line)-1] != '\n'
	}
	if _, err := t.to.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// outputs returns where the text of a task is shown.
func (r *Results) outputs(task int) (out, err io.Writer) {
	if !r.Tag {
		return r.Out, r.Err
	}
	tag := []byte(r.Line.Label(r.Line.Number(task)) + "\t")
	return &tagged{to: r.Out, tag: tag}, &tagged{to: r.Err, tag: tag}
}
