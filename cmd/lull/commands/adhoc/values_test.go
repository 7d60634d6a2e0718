package adhoc

import (
	"slices"
	"strings"
	"testing"
)

func TestValuesAreLinesOrEndWithNUL(t *testing.T) {
	for _, c := range []struct {
		text string
		null bool
		want []string
	}{
		{"", false, []string{}},
		{"\ufeff", false, []string{}},
		{"a\nb", false, []string{"a", "b"}},
		{"\ufeffa\r\n\r\n# b\r\n\ufeffc\n", false, []string{"a", "", "# b", "\ufeffc"}},
		{" a \n", false, []string{" a "}},
		{"", true, []string{}},
		{"a\nb\x00\x00c\r\x00", true, []string{"a\nb", "", "c\r"}},
		{"a\x00b", true, []string{"a", "b"}},
	} {
		got, err := Values(strings.NewReader(c.text), c.null)
		if err != nil || !slices.Equal(got, c.want) || got == nil {
			t.Errorf("Values(%q, %v) = %q, %v, want %q", c.text, c.null, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"a\nb\x00c\x00":              "line 2 has a NUL byte: add -0",
		strings.Repeat("x", 1<<20+1): "line 1 is longer than 1 MB",
	} {
		if _, err := Values(strings.NewReader(text), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Values() = %v, want %q", err, want)
		}
	}
}
