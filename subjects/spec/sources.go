package spec

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Bounds of what a stage says of its data nodes.
const (
	// MaxSources is the greatest number of data nodes of a stage. Inputs on
	// more are as good as spread over all: no single one is the bottleneck.
	MaxSources = 64
	maxSource  = 128     // bytes of a name
	maxBytes   = 1 << 60 // input of a task
)

// readSources reads a name or a list of names. An empty list is an answer too:
// no data node limits the stage.
func (s *DocStage) readSources(v value) error {
	s.Sources = []string{}
	one := func(i int, v value) error {
		if i == MaxSources {
			return v.faultf("there are more than %d data nodes: leave sources out", MaxSources)
		}
		name, err := v.text()
		if err == nil && !DataNodeName(name) {
			err = v.faultf("%.80q is not a data node: "+sourceForm, name)
		}
		s.Sources = append(s.Sources, name)
		return err
	}
	if _, ok := v.node.(*ast.SequenceNode); ok {
		return v.list(one)
	}
	return one(0, v)
}

const sourceForm = "use 1 to 128 letters, digits and any of . : / @ _ + -, such as nfs:filer1"

// DataNodeName reports whether a text can name a data node.
func DataNodeName(name string) bool {
	return name != "" && len(name) <= maxSource && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(".:/@_+-", r)
	})
}

// canonicalSources are the names sorted, each once; nil for none.
func canonicalSources(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// checkSources checks what a stage says of the bytes that it reads, and from where.
func (s *Stage) checkSources(at string) error {
	switch {
	case s.Bytes < 0 || s.Bytes > maxBytes:
		return faultf(at+".bytes", "%d bytes a task are out of bounds: give a size such as 64MB", s.Bytes)
	case len(s.Sources) > MaxSources:
		return faultf(at+".sources", "there are %d data nodes, at most %d are allowed: leave sources out", len(s.Sources), MaxSources)
	}
	for k, name := range s.Sources {
		if !DataNodeName(name) {
			return faultf(index(at+".sources", k), "%.80q is not a data node: "+sourceForm, name)
		}
		if k > 0 && name <= s.Sources[k-1] {
			return faultf(index(at+".sources", k), "%q is out of order: sort the data nodes, and name each once", name)
		}
	}
	return nil
}

// FillReading notes what the client found out about a stage's input: its bytes
// a task on average, and the data nodes behind it. What the document says
// itself stands.
func (d *Doc) FillReading(stage int, bytes int64, sources []string) {
	s := &d.Stages[stage]
	if s.Bytes == 0 {
		s.Bytes = bytes
	}
	if s.Sources == nil {
		s.Sources = sources
	}
}
