// Package actors turns a pure actor into a service.
//
// An actor folds one log and returns what its state now calls for. It has no clock, no I/O, no
// goroutine and no random numbers of its own: the same inputs give the same outputs, in a service,
// in a test and in a simulator. Its runtime has two halves. Package core decides, as purely as the
// actor: when to take a term, what follows when a batch's outcome is unknown, when a snapshot is
// due. Package shell carries out what the core calls for. It reads the log from a snapshot on, and
// takes a lease. It appends decisions as one conditional atomic batch at a time. State changes only
// when the batch comes back from the log. The simulator is another shell of the same core.
//
//	        ┌────────────── Bus ───────────────┐
//	entries │  log   inbox   telemetry   asks  │ Append(batch, fence)
//	   ┌────▼──────────────────────────────────┴───┐
//	   │ shell: one goroutine, one batch in flight │──▶ Perform(action)
//	   └────┬──────────────────────────────▲───────┘◀── Report(outcome)
//	        │ inputs                       │ effects
//	        └───────▶ core ── Actor.Step ──┘
//
// The life of an instance:
//
//	standby ──lease──▶ claiming ──own Led echoed, log folded──▶ leading
//	   ▲                                                          │
//	   └──── lease lost, or a batch refused: another Led stands ◀─┘
//
// A batch whose acknowledgement is lost is settled by a new term: the instance appends a new Led
// and reads on until it comes back. By then the batch came back too, or the server refuses it for
// ever.
//
// What a caller writes:
//
//	service, err := shell.New(shell.Config{Role: slotter.Role(pool), Actor: actor, Bus: bus})
//	err = service.Run(ctx) // until ctx ends
//
// This package has what all of them share: the Actor, its Role, and the Bus. Package jetstream has
// the Bus of a service, memory that of a test. Package faults wraps either with a script of
// failures, and conformance has the suite that runs over all of them.
package actors
