package harvest

import (
	"slices"
	"testing"
	"time"

	"lull/sim"
)

func TestTheOracleKeepsWhatFits(t *testing.T) {
	// Two servers of four cores: idle for two hours, then busy for two.
	load := sim.Series{Every: time.Hour, Cores: []float64{0, 0, 4, 4}}
	free := idleOf([]sim.Host{{Cores: 4, Load: load}, {Cores: 4, Load: load}}, 8*time.Hour)
	soon := demand{at: 0, due: 4 * time.Hour, work: 12}
	for _, test := range []struct {
		name string
		jobs []demand
		want []bool
	}{
		{"alone", []demand{soon}, []bool{true}},
		{"more than the two hours have", []demand{{at: 0, due: 4 * time.Hour, work: 17}}, []bool{false}},
		{"beside one that is due later", []demand{soon, {at: time.Hour, due: 7 * time.Hour, work: 16}}, []bool{true, true}},
		{"beside one that is due sooner", []demand{soon, {at: time.Hour, due: 2*time.Hour + promiseTask, work: 5}}, []bool{false, true}},
		{"it comes too late", []demand{{at: 2 * time.Hour, due: 4 * time.Hour, work: 1}}, []bool{false}},
	} {
		if got := free.keeps(test.jobs); !slices.Equal(got, test.want) {
			t.Errorf("keeps(%s) = %v, want %v", test.name, got, test.want)
		}
	}
}
