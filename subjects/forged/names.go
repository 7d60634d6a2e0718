package forged

import (
	"fmt"

	"lull/subjects/ledger"
)

// Names of what a ledger need not know.
var (
	tenants = []string{"shop", "mail", "host:host-0"}
	racks   = []string{"r0", "r1", "r2"}
	queues  = []string{"default", "nightly", "other"}
	actors  = []string{"admission", "slotter", "classifier", "placer"}
)

// host is mostly a host of the pool.
func (f *Forger) host() string {
	if hosts := f.pool.Hosts(); len(hosts) > 0 && f.chance(85) {
		return one(f, hosts).Name
	}
	return fmt.Sprint("host-", f.rng.IntN(6))
}

// job is mostly a job of the pool.
func (f *Forger) job() string {
	if j := f.known(); j != nil && f.chance(85) {
		return j.ID
	}
	return fmt.Sprint("forged-", f.rng.IntN(9))
}

func (f *Forger) known() *ledger.Job {
	all := f.pool.Jobs()
	if all.Len() == 0 {
		return nil
	}
	return all.At(f.rng.IntN(all.Len()))
}

// model is mostly that of a job's stage.
func (f *Forger) model() string {
	if j := f.known(); j != nil && len(j.Shape.Stages) > 0 && f.chance(85) {
		return j.Shape.Model(f.rng.IntN(len(j.Shape.Stages)))
	}
	return fmt.Sprint("type-", f.rng.IntN(5))
}

// attempt is one of the pool's, nil if there is none.
func (f *Forger) attempt() *ledger.Attempt {
	for range 4 {
		if hosts := f.pool.Hosts(); len(hosts) > 0 {
			if at := one(f, one(f, hosts).Attempts()); at != nil {
				return at
			}
		}
	}
	return nil
}
