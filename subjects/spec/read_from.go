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
		err = v.fields(text("stage", &f.Stage), field{"by", f.readBy})
	} else {
		f.Stage, err = v.text()
	}
	if err == nil && f.Stage == "" {
		err = v.faultf("name the stage to read from, as in {stage: map, by: partition}")
	}
	s.From = append(s.From, f)
	return err
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
	return v.fields(
		field{"ranges", s.readRanges},
		field{"param", func(v value) (err error) {
			s.Param, err = v.scalar()
			return err
		}},
	)
}

func (s *Split) readRanges(v value) error {
	return v.list(func(i int, v value) error {
		s.Ranges = append(s.Ranges, Range{})
		return s.Ranges[i].read(v)
	})
}

func (r *Range) read(v value) error {
	const most = math.MaxInt64
	return v.fields(
		text("path", &r.Path),
		text("tag", &r.Tag),
		whole("size", &r.Size, 0, most),
		whole("mtime", &r.MTime, 0, most),
		whole("offset", &r.Offset, 0, most),
		whole("length", &r.Length, 0, most),
	)
}
