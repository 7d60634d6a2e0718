// Package actors turns a pure actor into a service.
//
// An actor folds one log and says what its state now calls for. It has no
// clock, no I/O, no goroutine and no chance of its own: the same inputs give
// the same outputs, in a service, in a test and in a simulator. The shell
// (Shell) does the rest: it reads the log from a snapshot on, takes a lease
// and a term, appends decisions as one conditional atomic batch at a time, and
// lets state change only when the batch comes back from the log.
//
//	        ┌────────────── Bus ───────────────┐
//	entries │  log   inbox   telemetry   asks  │ Append(batch, fence)
//	   ┌────▼──────────────────────────────────┴───┐
//	   │ Shell: one goroutine, one batch in flight │──▶ Perform(action)
//	   └────┬──────────────────────────────▲───────┘◀── Report(outcome)
//	  Input │                              │ Output
//	        └────────────▶ Actor.Step ─────┘
//
// The life of an instance:
//
//	standby ──lease──▶ claiming ──own Led echoed, log folded──▶ leading
//	   ▲                                                          │
//	   └──── lease lost, or a batch refused: another Led stands ◀─┘
//
// A batch whose acknowledgement is lost is settled by a new term: the instance
// appends a new Led and reads on until it comes back. By then the batch came
// back too, or the server refuses it for ever.
//
// What a caller writes:
//
//	shell, err := actors.New(actors.Config{Name: "slotter", Actor: actor, Bus: bus, Lease: 3 * time.Second})
//	err = shell.Run(ctx) // until ctx ends
//
// Package jetstream has the Bus of a service, memory that of a test, faults
// wraps either with a script of what goes wrong, and conformance holds the
// suite that runs over all of them.
package actors
