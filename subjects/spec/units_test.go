package spec

import "testing"

// 1,5GB is fifteen gigabytes to programs that take a comma for a separator of thousands.
func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"64MB": 64e6, "1.5GiB": 3 << 29, "8Gi": 8 << 30, "8g": 8e9, "100": 100, "1 kB": 1000} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%s) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"1,5GB", "1,024MB", "", "GB", "much", "16EB", "-1MB"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", text, got)
		}
	}
}
