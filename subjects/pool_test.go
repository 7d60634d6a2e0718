package subjects

import (
	"strings"
	"testing"
)

func TestParsePool(t *testing.T) {
	for _, name := range []string{"default", "A-1_b"} {
		if p, err := ParsePool(name); err != nil || string(p) != name {
			t.Errorf("ParsePool(%q) = %q, %v, want it as given", name, p, err)
		}
	}
	for _, name := range []string{"", "a.b", "a b", "*", "a=b", "$JS", "é", strings.Repeat("a", maxToken+1)} {
		if p, err := ParsePool(name); err == nil {
			t.Errorf("ParsePool(%q) = %q, want an error", name, p)
		}
	}
}

// TestStreamsShareNoSubject: two streams with one subject cannot both exist,
// and an inbox message must never be taken for a fact.
func TestStreamsShareNoSubject(t *testing.T) {
	const p = Pool("p")
	for _, in := range p.InboxSubjects() {
		for _, fact := range p.LogSubjects() {
			if overlap(strings.Split(in, "."), strings.Split(fact, ".")) {
				t.Errorf("%s and %s overlap, want no subject in both streams", in, fact)
			}
		}
	}
	log := p.LogSubjects()
	for i := range log {
		for k := range i {
			if overlap(strings.Split(log[i], "."), strings.Split(log[k], ".")) {
				t.Errorf("%s and %s overlap, want each subject in one pattern", log[i], log[k])
			}
		}
	}
}

func overlap(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != "*" && b[i] != "*" && a[i] != b[i] {
			return false
		}
	}
	return true
}
