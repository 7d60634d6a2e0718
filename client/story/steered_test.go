package story

import (
	"testing"

	"lull/subjects"
	"lull/subjects/ledger"
)

func TestSteeringIsShown(t *testing.T) {
	for want, e := range map[string]*subjects.Steered{
		"10:00 steered to hosts of constant-1: a long job (the last of its type ran for 1h 00m) of up to 4 cores at once.\n" +
			"         Headroom in cores × weight: constant-1 20.5 × 3, periodic-2 8 × 2.\n": {
			Length: "long", Last: 3600, Need: 4000, Classes: []subjects.SteeredClass{
				{Name: "constant-1", Headroom: 20_500, Weight: 3, Picked: true}, {Name: "periodic-2", Headroom: 8000, Weight: 2}, {Name: "u", Weight: 1},
			},
		},
		"10:00 steered to every host, since the classes together have no room for it, because it got no slot for minutes: " +
			"a medium job (the first of its type) of up to 400 cores at once.\n": {
			Length: "medium", Need: 400_000, Anew: subjects.SteeredStarved, Classes: []subjects.SteeredClass{{Name: "u", Weight: 1}},
		},
	} {
		told := &teller{job: &ledger.Job{}}
		told.steered("10:00", e)
		if got := told.text.String(); got != want {
			t.Errorf("story =\n%swant\n%s", got, want)
		}
	}
}
