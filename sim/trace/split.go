package trace

import (
	"encoding/csv"
	"strings"
)

// record is a line cut at its commas.
type record struct {
	line   int
	fields []string
	starts []int // the byte at which each field begins, from 1
}

// split cuts a line. A quoted field must end on its line: one that does not
// would swallow the file.
func (r *record) split(line string) *Fault {
	r.fields, r.starts = r.fields[:0], r.starts[:0]
	if strings.IndexByte(line, '"') >= 0 {
		return r.splitQuoted(line)
	}
	for at := 0; ; {
		end := strings.IndexByte(line[at:], ',')
		r.starts = append(r.starts, at+1)
		if end < 0 {
			r.fields = append(r.fields, line[at:])
			return nil
		}
		r.fields = append(r.fields, line[at:at+end])
		at += end + 1
	}
}

func (r *record) splitQuoted(line string) *Fault {
	c := csv.NewReader(strings.NewReader(line))
	fields, err := c.Read()
	if err != nil {
		return &Fault{Line: r.line, Text: "its quotes do not match: close each within the line, and write \"\" for one within"}
	}
	r.fields = append(r.fields, fields...)
	for i := range fields {
		_, column := c.FieldPos(i)
		r.starts = append(r.starts, column)
	}
	return nil
}
