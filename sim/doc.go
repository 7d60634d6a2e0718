// Package sim is a pool in virtual time. The bus, the hosts' hands, the primary
// tenants and the clock are simulated; admission, slotter, host controllers and
// the ledger are the ones that services run, unchanged:
//
//	result, err := sim.Run(ctx, sim.Scenario{
//		Seed:  1,
//		Hosts: []sim.Host{{Name: "a", Cores: 2, Load: sim.Steady(0.3)}},
//		Types: []sim.Truth{{Type: "pi", Points: []sim.Point{{Residual: 1, Seconds: 20}}}},
//		Jobs:  []sim.Job{{At: time.Minute, Spec: job}},
//	})
//
// Everything happens on one goroutine, in the order of a heap by (time,
// sequence). Each purpose draws from a random stream of its own, seeded by
// (seed, name), so that one more draw somewhere changes nothing elsewhere. The
// same scenario gives the same log, byte for byte.
//
//	         heap by (time, sequence)
//	             │ next
//	┌────────────▼─────────────────────────────────────────────┐
//	│ client ─▶ inbox ─▶ replica(admission) ─┐                 │
//	│                    replica(slotter)  ──┼─▶ log ─▶ hosts ─┤──▶ Watch, Result
//	│ load ─▶ host: hostctl/actor, its tasks ┘◀── facts ───────│
//	└──────────────────────────────────────────────────────────┘
package sim
