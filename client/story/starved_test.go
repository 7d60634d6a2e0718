package story

import (
	"testing"

	"lull/subjects"
)

func TestOnlyNodesThatAreWaitedForAreShown(t *testing.T) {
	got := Starved([]subjects.DataNode{
		{Name: "nfs:filer1", Load: 180e6, Capacity: 200e6, Overloaded: true}, {Name: "nfs:filer2", Load: 1e6, Capacity: 200e6},
	})
	if want := "Now: waits for data node nfs:filer1: 180 MB/s of 200 MB/s in use.\n"; got != want {
		t.Errorf("Starved() = %q, want %q", got, want)
	}
}
