package classes

import (
	"cmp"
	"fmt"
	"slices"

	"lull/subjects/profile"
)

// State is what a generation passes on to the next. The zero value is for the first one.
type State struct {
	Named int     // number of names given so far
	Last  []Class // classes of the last generation, by name
}

// Class is a named group of tenants.
type Class struct {
	Name    string
	Pattern profile.Pattern
	Members []string // sorted
}

// Group is a group that has no name yet.
type Group struct {
	Pattern profile.Pattern
	Members []string
}

// shared is the number of members that a group has in common with a class of the last generation. group
// and class are indexes.
type shared struct{ group, class, members int }

// Name makes each group a class with a name. A group takes the name of the class of the last generation
// with which it shares most members, if both have the same pattern and no group with a larger share takes
// it. Other groups get new names. The classes are in the order of the groups; those of the state are
// sorted by name.
func Name(groups []Group, last State) ([]Class, State) {
	next := State{Named: last.Named}
	classes := make([]Class, len(groups))
	for i, g := range groups {
		classes[i] = Class{Pattern: g.Pattern, Members: slices.Sorted(slices.Values(g.Members))}
	}
	taken := make([]bool, len(last.Last))
	for _, s := range overlaps(groups, last.Last) {
		if classes[s.group].Name == "" && !taken[s.class] {
			classes[s.group].Name = last.Last[s.class].Name
			taken[s.class] = true
		}
	}
	for i := range classes {
		if classes[i].Name == "" {
			next.Named++
			classes[i].Name = fmt.Sprintf("%v-%d", classes[i].Pattern, next.Named)
		}
	}
	next.Last = slices.Clone(classes)
	slices.SortFunc(next.Last, func(a, b Class) int { return cmp.Compare(a.Name, b.Name) })
	return classes, next
}

// overlaps returns the pairs of a group and a class that have the same pattern and share members, most
// members first. It orders equal ones by the class's name and the group's index, so that the result does
// not depend on chance.
func overlaps(groups []Group, last []Class) (all []shared) {
	home := map[string]int{} // member → index of its last class
	for c, class := range last {
		for _, m := range class.Members {
			home[m] = c
		}
	}
	for g, group := range groups {
		in := make([]int, len(last))
		for _, m := range group.Members {
			if c, known := home[m]; known && last[c].Pattern == group.Pattern {
				in[c]++
			}
		}
		for c, n := range in {
			if n > 0 {
				all = append(all, shared{g, c, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b shared) int {
		return cmp.Or(b.members-a.members, cmp.Compare(last[a.class].Name, last[b.class].Name), a.group-b.group)
	})
	return all
}
