package spec

import (
	"math"

	"github.com/goccy/go-yaml/ast"
)

// readFrom reads a stage's name, a map with stage and by, or a list of those.
func (s *DocStage) readFrom(v value) error {
	if _, ok := v.node.(*ast.SequenceNode); !ok {
		return s.readSource(v)
	}
	return v.list(func(_ int, v value) error { return s.readSource(v) })
}

func (s *DocStage) readSource(v value) (err error) {
	f := DocFrom{}
	if _, ok := v.node.(ast.MapNode); ok {
		err = v.fields(f.fields()...)
	} else {
		f.Stage, err = v.text()
	}
	if err == nil && f.Stage == "" {
		err = v.faultf("name the stage to read from, as in {stage: map, by: partition}")
	}
	s.From = append(s.From, f)
	return err
}

func (f *DocFrom) fields() []field {
	return []field{
		text("stage", &f.Stage).required().says("The stage to read."),
		field{name: "by", read: f.readBy, form: byForm}.says("Which task reads what."),
	}
}

func (f *DocFrom) readBy(v value) (err error) {
	f.By, err = v.text()
	if err == nil && f.By != ByAll && f.By != ByPartition && f.By != ByTask {
		return v.faultf("%q is not a way to read a stage: write all, partition or task", f.By)
	}
	return err
}

func (s *DocStage) readSplits(v value) error {
	return v.list(func(i int, v value) error {
		s.Splits = append(s.Splits, Split{})
		return s.Splits[i].read(v)
	})
}

func (s *Split) read(v value) error {
	return v.fields(s.fields()...)
}

func (s *Split) fields() []field {
	return []field{
		{name: "ranges", read: s.readRanges, form: rangesForm, doc: "Pieces of files."},
		{name: "param", form: scalarForm, doc: "The task's `LULL_PARAM`.", read: func(v value) (err error) {
			s.Param, err = v.scalar()
			return err
		}},
	}
}

func (s *Split) readRanges(v value) error {
	return v.list(func(i int, v value) error {
		s.Ranges = append(s.Ranges, Range{})
		return s.Ranges[i].read(v)
	})
}

func (r *Range) read(v value) error {
	return v.fields(r.fields()...)
}

func (r *Range) fields() []field {
	const most = math.MaxInt64
	return []field{
		text("path", &r.Path).says("An absolute path, or a URL."),
		text("tag", &r.Tag).says("The entity tag of a URL. Of a file: its inode, and the checksum of its end, by which hosts know that it only grew."),
		whole("size", &r.Size, 0, most).says("Bytes of the file."),
		whole("mtime", &r.MTime, math.MinInt64, most).says("When the file was changed last, in Unix nanoseconds. Default: unchecked."),
		whole("offset", &r.Offset, 0, most).says("Where the piece begins, in bytes."),
		whole("length", &r.Length, 0, most).says("Bytes of the piece."),
		field{name: "ends", form: truthForm, read: func(v value) (err error) {
			r.Ends, err = v.truth()
			return err
		}}.says("Whether a line end is put behind the piece if it has none, because the lines of another file follow."),
	}
}
