package folder

import (
	"slices"
	"testing"
)

func jobs(notes []*Run) (all []string) {
	for _, n := range notes {
		all = append(all, n.Job)
	}
	return all
}

func TestANoteIsAbandonedOnceItsProcessIsGone(t *testing.T) {
	dir := t.TempDir()
	if got := Abandoned(dir, "p"); got != nil {
		t.Errorf("Abandoned() of a new folder = %v, want none", jobs(got))
	}
	var notes []*Run
	for _, job := range []string{"lives", "ended", "died"} {
		r, err := NoteRun(dir, "p", job)
		if err != nil {
			t.Fatal(err)
		}
		notes = append(notes, r)
	}
	notes[1].Forget()
	if err := notes[2].lock.Close(); err != nil { // as the kernel does
		t.Fatal(err)
	}
	left := Abandoned(dir, "p")
	if got := jobs(left); !slices.Equal(got, []string{"died"}) {
		t.Fatalf("Abandoned() = %v, want the one that died", got)
	}
	if got := Abandoned(dir, "q"); got != nil {
		t.Errorf("Abandoned() of another pool = %v, want none", jobs(got))
	}
	(&Folder{Dir: dir}).AdoptRuns("p")
	if got := Abandoned(dir, "p"); got != nil {
		t.Errorf("Abandoned() of an adopted folder = %v, want none", jobs(got))
	}
	notes[0].Forget()
	var none *Run
	none.Forget()
}
