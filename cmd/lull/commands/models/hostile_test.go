package models

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
	"lull/subjects/forged"
	"lull/subjects/ledger"
)

// Whatever stands in the log, models are printed in numbers, for people and for programs.
func TestAHostileLogIsShown(t *testing.T) {
	noNumber := regexp.MustCompile(`NaN|\bInf\b|\d{33}`)
	rapid.Check(t, func(rt *rapid.T) {
		s := ledger.New()
		forger := forged.New(rapid.Uint64().Draw(rt, "seed"), s)
		for seq := range uint64(300) {
			e := forger.Event()
			s.Apply(seq+1, time.Unix(int64(seq)+1, 0), e)
			f, ok := e.(*subjects.Fitted)
			if !ok {
				continue
			}
			row := modelRowOf(f)
			shown := strings.Join(row.cells(), "  ") + "\n" + modelPage(f)
			if found := noNumber.FindString(shown); found != "" {
				rt.Errorf("%+v is shown with %q, want numbers:\n%s", f, found, shown)
			}
			if _, err := json.Marshal(row); err != nil {
				rt.Errorf("json.Marshal(%+v) = %v, want no error", row, err)
			}
		}
	})
}
