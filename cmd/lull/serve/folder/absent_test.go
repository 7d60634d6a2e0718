package folder

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestALullThatIsStartingIsNotSaidToBeAbsent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if got := Absent(dir).Error(); !strings.Contains(got, "no lull runs on this machine (data folder "+dir+")") {
		t.Errorf("Absent() without a folder = %q, want that no lull runs, and the folder", got)
	}
	starting, err := Take(dir) // an endpoint comes later
	if err != nil {
		t.Fatal(err)
	}
	if got := Absent(dir).Error(); !strings.Contains(got, "is still starting") {
		t.Errorf("Absent() while the owner starts = %q, want that it is still starting", got)
	}
	if err := starting.Close(); err != nil {
		t.Fatal(err)
	}
	if got := Absent(dir).Error(); !strings.Contains(got, "no lull runs") {
		t.Errorf("Absent() after the owner ended = %q, want that no lull runs", got)
	}
}
