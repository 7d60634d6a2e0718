// Package sim is a pool in virtual time. The bus, what hosts do with processes, the primary tenants and the
// clock are simulated. Admission, slotter, host controllers and the ledger are the real ones,
// unchanged:
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
//
// The pool's processes start a quarter of a minute before the scenario begins, so that services have
// received the hosts' telemetry by then. They open their terms when it begins.
//
// A replica is actors/core with a shell in virtual time: restore, lease, term, one batch in flight,
// one decision on all that has arrived. An event is encoded once, for the digest; every reader gets
// the same pointer. Hosts share their idle cores among their running tasks. A task's progress is
// integrated over the residual that it truly gets, from one change of it to the next, so hosts at
// rest cost nothing but their telemetry. Where tasks have a target rate, hostctl/pace divides the
// cores, as on real hosts. Where the primary waits for batch work (Host.Waits), hostctl/guard
// decides the bounds of batch work, each 25 ms while a task runs. Services receive every sample of
// telemetry; an agent steps only for those that it needs (see actor.NeedsSample).
//
// With a Topology, outputs of earlier stages move over links: a task fetches what other hosts keep before
// it begins, in the same order and as many at once as a real agent (subjects/turns). Transfers get their
// max–min fair share (placer/flow). A transfer goes on when its source crashes.
//
// A plan decides what fails (Faults). Every effect of a replica, a host or a client asks it first.
// It may crash and stop processes, skew clocks and fill up disks (World). Package chaos draws such plans and
// checks what must never happen.
package sim
