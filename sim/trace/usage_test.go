package trace

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestUsageKeepsWhatIsMissing(t *testing.T) {
	for name, text := range map[string]string{
		"wide": "series_id,cores,600,900,1200\nA.b,8,50,,7\nc,4,,,\n",
		"long": "series_id,cores,t_seconds,cpu_pct\nA.b,8,600,50\nA.b,8,1200,7\nA.b,8,900,\nc,4,900,\n",
	} {
		var got []string
		line := map[string]string{"wide": "3", "long": "5"}[name]
		_, err := Usage(strings.NewReader(text), "f.csv", HostOptions{}, func(s Series) {
			got = append(got, fmt.Sprint(s.ID, " ", s.Machine, " ", s.Line, " ", s.Begin, " ", s.Every, " ", s.Percent))
		})
		if want := []string{"A.b {8 0} 2 10m0s 5m0s [50 NaN 7]", "c {4 0} " + line + " 10m0s 5m0s [NaN NaN NaN]"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("Usage(%s) = %q, %v, want %q", name, got, err, want)
		}
	}
}
