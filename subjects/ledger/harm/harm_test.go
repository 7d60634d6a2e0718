package harm

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
)

func TestADayIsItsLast24Hours(t *testing.T) {
	var toll Toll
	start := time.Unix(1_700_000_000, 0)
	at := func(hour int) time.Time { return start.Add(time.Duration(hour) * time.Hour) }
	for hour := range 30 {
		toll.add(at(hour).UnixNano(), Sum{Primary: 1})
	}
	for hour, want := range map[int]float64{29: 24, 30: 23, 40: 13, 52: 1, 53: 0, 1000: 0} {
		if day := toll.Day(at(hour)); day.Primary != want {
			t.Errorf("%d h on, the last day adds up to %g, want %g", hour, day.Primary, want)
		}
	}
	toll.add(at(100).UnixNano(), Sum{Primary: 5}) // after a long silence
	toll.add(at(99).UnixNano(), Sum{Primary: 1})  // late, or by a clock that went back
	if day := toll.Day(at(100)); day.Primary != 6 || toll.Total.Primary != 36 {
		t.Errorf("after a pause: primary's time in a day, in all = %g, %g, want 6, 36", day.Primary, toll.Total.Primary)
	}
}

// Tolls are bounded: by the time that nothing was added to them, and by tenants a host.
func TestTollsOfThePastAreForgotten(t *testing.T) {
	var tolls Tolls
	now := time.Unix(1e9, 0).UnixNano()
	add := func(host, tenant string) { tolls.Add(now, &subjects.Harmed{Host: host, Tenant: tenant}) }
	add("gone", "shop")
	for i := range 100 {
		add("liar", fmt.Sprintf("tenant-%d", i))
	}
	if n := len(tolls.all); n != 1+tenantsAHost {
		t.Errorf("tolls kept = %d, want %d", n, 1+tenantsAHost)
	}
	if _, known := tolls.find("shop", "gone"); !known {
		t.Error("toll of gone on shop is forgotten after liar's many tenants, want it kept")
	}
	now += (keepHours + 1) * int64(time.Hour)
	add("liar", "new")
	if n := len(tolls.all); n != 1 {
		t.Errorf("tolls kept after %d hours = %d, want 1", keepHours, n)
	}
}
