package actors

import "testing"

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, subject string
		want             bool
	}{
		{"", "a.b", true},
		{"a.b", "a.b", true}, {"a.b", "a.c", false}, {"a.b", "a", false}, {"a", "a.b", false},
		{"a.*", "a.b", true}, {"a.*", "a.b.c", false}, {"a.*", "a", false}, {"*.b", "a.b", true},
		{"a.>", "a.b.c", true}, {"a.>", "a", false}, {">", "a", true},
	} {
		if got := Match(test.pattern, test.subject); got != test.want {
			t.Errorf("Match(%q, %q) = %v, want %v", test.pattern, test.subject, got, test.want)
		}
	}
}
