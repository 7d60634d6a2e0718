package classes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lull/subjects/profile"
)

func groups(pattern profile.Pattern, members ...string) (all []Group) {
	for _, m := range members {
		all = append(all, Group{pattern, strings.Fields(m)})
	}
	return all
}

func names(classes []Class) (all []string) {
	for _, c := range classes {
		all = append(all, c.Name)
	}
	return all
}

func TestNamesFollowMembers(t *testing.T) {
	first, state := Name(groups(profile.Constant, "a b c", "d e"), State{})
	if got := fmt.Sprint(names(first)); got != "[constant-1 constant-2]" {
		t.Fatal(got)
	}
	for _, test := range []struct {
		name   string
		groups []Group
		want   string
	}{
		{"in another order", groups(profile.Constant, "e d", "c b a"), "[constant-2 constant-1]"},
		{"a member moved", groups(profile.Constant, "a b", "c d e"), "[constant-1 constant-2]"},
		{"split: the larger part keeps the name", groups(profile.Constant, "a", "b c", "d e"), "[constant-3 constant-1 constant-2]"},
		{"merged", groups(profile.Constant, "a b c d e"), "[constant-1]"},
		{"all new members", groups(profile.Constant, "x y"), "[constant-3]"},
		{"another pattern is another class", groups(profile.Periodic, "a b c"), "[periodic-3]"},
		{"none", nil, "[]"},
	} {
		got, _ := Name(test.groups, state)
		if fmt.Sprint(names(got)) != test.want {
			t.Errorf("%s: %v, want %v", test.name, names(got), test.want)
		}
	}
}

func TestANameThatIsGoneDoesNotComeBack(t *testing.T) {
	_, state := Name(groups(profile.Constant, "a b"), State{})
	_, state = Name(nil, state)
	again, state := Name(groups(profile.Constant, "a b"), state)
	if again[0].Name != "constant-2" || state.Named != 2 {
		t.Errorf("name after the class was gone = %s with %d given, want constant-2, 2", again[0].Name, state.Named)
	}
}

// Whatever the generations are, names are unique, and no new name was ever given before.
func TestNamesAreNeverReused(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	given, state := map[string]bool{}, State{}
	for range 200 {
		made := make([]Group, 1+rng.IntN(5))
		for i := range 20 {
			g := &made[rng.IntN(len(made))]
			g.Members = append(g.Members, fmt.Sprint("t", i))
		}
		before := names(state.Last)
		var now []Class
		now, state = Name(made, state)
		seen := map[string]bool{}
		for _, c := range now {
			if seen[c.Name] {
				t.Fatalf("two classes have the name %s, want one", c.Name)
			}
			seen[c.Name] = true
			if given[c.Name] && !slices.Contains(before, c.Name) {
				t.Fatalf("name %s is given again, want a new one", c.Name)
			}
			given[c.Name] = true
		}
	}
}
