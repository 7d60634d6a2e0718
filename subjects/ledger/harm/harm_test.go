package harm

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
)

func TestADayIsItsLast24Hours(t *testing.T) {
	var account Account
	start := time.Unix(1_700_000_000, 0)
	at := func(hour int) time.Time { return start.Add(time.Duration(hour) * time.Hour) }
	for hour := range 30 {
		account.add(at(hour).UnixNano(), Sum{Primary: 1})
	}
	for hour, want := range map[int]float64{29: 24, 30: 23, 40: 13, 52: 1, 53: 0, 1000: 0} {
		if day := account.Day(at(hour)); day.Primary != want {
			t.Errorf("%d h on, the last day adds up to %g, want %g", hour, day.Primary, want)
		}
	}
	account.add(at(100).UnixNano(), Sum{Primary: 5}) // after a long silence
	account.add(at(99).UnixNano(), Sum{Primary: 1})  // late, or by a clock that went back
	if day := account.Day(at(100)); day.Primary != 6 || account.Total.Primary != 36 {
		t.Errorf("after a pause: primary's time in a day, in all = %g, %g, want 6, 36", day.Primary, account.Total.Primary)
	}
}

// Accounts are bounded: by the time that nothing was added to them, and by tenants a host.
func TestHarmAccountsOfThePastAreForgotten(t *testing.T) {
	var accounts Accounts
	now := time.Unix(1e9, 0).UnixNano()
	add := func(host, tenant string) { accounts.Add(now, tenant, &subjects.Harmed{Host: host}) }
	add("gone", "shop")
	for i := range 100 {
		add("liar", fmt.Sprintf("tenant-%d", i))
	}
	if n := len(accounts.all); n != 1+maxTenantsOfHost {
		t.Errorf("accounts kept = %d, want %d", n, 1+maxTenantsOfHost)
	}
	if _, known := accounts.find("shop", "gone"); !known {
		t.Error("account of gone on shop is forgotten after liar's many tenants, want it kept")
	}
	now += (keepHours + 1) * int64(time.Hour)
	add("liar", "new")
	if n := len(accounts.all); n != 1 {
		t.Errorf("accounts kept after %d hours = %d, want 1", keepHours, n)
	}
}
