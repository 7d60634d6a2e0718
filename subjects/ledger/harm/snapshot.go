package harm

import (
	"fmt"
	"slices"
)

// Form is a Account in a snapshot. Its last day is listed by hour, the oldest
// first, up to Last.
type Form struct {
	Tenant string `msgpack:"tenant"`
	Host   string `msgpack:"host"`
	Sensor string `msgpack:"sensor"`
	Since  int64  `msgpack:"since"`
	Total  Sum    `msgpack:"total"`
	Last   int64  `msgpack:"last"`
	Day    []Sum  `msgpack:"day"`
}

// Pack returns the form in which a snapshot keeps the accounts.
func (t *Accounts) Pack() []Form {
	forms := make([]Form, len(t.all))
	for i, account := range t.all {
		forms[i] = Form{
			Tenant: account.Tenant, Host: account.Host, Sensor: account.Sensor, Since: account.Since, Total: account.Total, Last: account.last, Day: account.ordered(),
		}
	}
	return forms
}

// ordered lists the last day's hours, the oldest first, less those before the
// first in which anything happened.
func (t *Account) ordered() (day []Sum) {
	for h := max(t.last-hours+1, 0); h <= t.last; h++ {
		if harm := t.days[h%hours]; len(day) > 0 || harm != (Sum{}) {
			day = append(day, harm)
		}
	}
	return day
}

// Load is the inverse of Pack.
func (t *Accounts) Load(forms []Form) error {
	for i := range forms {
		f := &forms[i]
		at, known := t.find(f.Tenant, f.Host)
		if known || at != len(t.all) || len(f.Day) > hours || f.Last < 0 {
			return fmt.Errorf("the account of tenant %q on host %q is there twice, or not in its place", f.Tenant, f.Host)
		}
		account := &Account{Tenant: f.Tenant, Host: f.Host, Sensor: f.Sensor, Since: f.Since, Total: f.Total, last: f.Last}
		for i, harm := range slices.Backward(f.Day) {
			if hour := f.Last - int64(len(f.Day)-1-i); hour >= 0 {
				account.days[hour%hours] = harm
			}
		}
		t.all = append(t.all, account)
	}
	return nil
}
