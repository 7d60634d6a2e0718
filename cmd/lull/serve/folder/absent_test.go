package folder

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestALullThatIsStartingIsNotSaidToBeAbsent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if got := Absent(dir).Error(); !strings.Contains(got, "no lull runs on this machine (data folder "+dir+")") {
		t.Errorf("without a folder: %s", got)
	}
	starting, err := Take(dir) // an endpoint comes later
	if err != nil {
		t.Fatal(err)
	}
	if got := Absent(dir).Error(); !strings.Contains(got, "is still starting") {
		t.Errorf("while its owner starts: %s", got)
	}
	if err := starting.Close(); err != nil {
		t.Fatal(err)
	}
	if got := Absent(dir).Error(); !strings.Contains(got, "no lull runs") {
		t.Errorf("after its owner: %s", got)
	}
}
