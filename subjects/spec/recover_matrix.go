package spec

import (
	"maps"
	"slices"
	"strings"
)

// matrixOf is a matrix that makes these splits, in their order. There is none for splits that
// no matrix made, or one with a value twice under a key.
func matrixOf(names []string, splits []Split) (*Matrix, bool) {
	m := &Matrix{}
	for i, name := range names {
		m.axes = append(m.axes, axis{name, axisOf(i, splits)})
	}
	if !m.exclusions(splits) {
		return nil, false
	}
	_, made := m.split()
	return m, slices.EqualFunc(made, splits, func(a, b Split) bool {
		return a.Param == b.Param && slices.Equal(a.Vars, b.Vars) && len(b.Ranges) == 0
	})
}

// axisOf returns the values of a key in order. Tasks that agree in all keys before it have its
// values in order, but perhaps not all of them. So the values of the largest such group come first.
func axisOf(key int, splits []Split) []string {
	groups := map[string][]string{}
	var largest string
	var all []string
	for i := range splits {
		before, value := strings.Join(splits[i].Vars[:key], "\x00"), splits[i].Vars[key]
		if !slices.Contains(groups[before], value) {
			groups[before] = append(groups[before], value)
		}
		if len(groups[before]) > len(groups[largest]) {
			largest = before
		}
		all = append(all, value)
	}
	values := slices.Clone(groups[largest])
	seen := map[string]bool{}
	for _, value := range values {
		seen[value] = true
	}
	for _, value := range all {
		if !seen[value] {
			seen[value] = true
			values = append(values, value)
		}
	}
	return values
}

// exclusions excludes the combinations that are not among the splits. Each entry names as few
// keys as it can. It is false if that takes more entries than a document may have.
func (m *Matrix) exclusions(splits []Split) bool {
	combinations := 1
	there := map[string]bool{}
	for i := range splits {
		there[strings.Join(splits[i].Vars, "\x00")] = true
	}
	for i := range m.axes {
		if combinations *= len(m.axes[i].values); combinations > maxMatrix {
			return false
		}
	}
	_, full := (&Matrix{axes: m.axes}).split()
	for _, s := range full {
		if there[strings.Join(s.Vars, "\x00")] || m.excluded(s.Vars) {
			continue
		}
		if len(m.exclude) == maxExcluded {
			return false
		}
		m.exclude = append(m.exclude, m.widest(s.Vars, splits))
	}
	return true
}

// widest leaves out keys of a combination as long as what is left matches none of the splits.
func (m *Matrix) widest(vars []string, splits []Split) map[string]string {
	some := map[string]string{}
	for i, a := range m.axes {
		some[a.name] = vars[i]
	}
	for _, a := range m.axes {
		fewer := maps.Clone(some)
		delete(fewer, a.name)
		one := &Matrix{axes: m.axes, exclude: []map[string]string{fewer}}
		if !slices.ContainsFunc(splits, func(s Split) bool { return one.excluded(s.Vars) }) && len(fewer) > 0 {
			some = fewer
		}
	}
	return some
}
