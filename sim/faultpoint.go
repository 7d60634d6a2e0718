package sim

import "time"

// Op is an effect that can go wrong.
type Op string

// The effects. Each goes through World.fate exactly once before it happens, in
// an order that the seed decides.
const (
	OpAppend    Op = "append"    // of decisions to the log
	OpClaim     Op = "claim"     // of a term
	OpSave      Op = "save"      // of a snapshot, with the trimming after it; a late one replaces a newer one
	OpLease     Op = "lease"     // taking or renewing it
	OpDeliver   Op = "deliver"   // of the log's next entries to a reader
	OpInbox     Op = "inbox"     // of the inbox's next messages to its reader
	OpTelemetry Op = "telemetry" // of one sample to one reader
	OpStart     Op = "start"     // of an attempt's process
	OpPublish   Op = "publish"   // of a client's message
)

// Ops lists them, for counting coverage.
var Ops = []Op{OpAppend, OpClaim, OpSave, OpLease, OpDeliver, OpInbox, OpTelemetry, OpStart, OpPublish}

// Effect is what a replica, a host or a client is about to do.
type Effect struct {
	Op Op
	At time.Duration
	// Process is the name of the process that does it or is to receive it: "admission/0", "slotter/1",
	// "host/<name>", "client".
	Process string
	// From is the host whose telemetry it is; "" otherwise.
	From string
}

// Fate says what happens to an effect. With the zero value it happens, once.
type Fate struct {
	// Delay comes on top of the network's own, before the effect.
	Delay time.Duration
	// Lose means that it never happens and no answer comes. The caller of an append
	// learns after a while that the outcome is unknown.
	Lose bool
	// Refuse means that it does not happen and that its caller gets the error:
	// actors.ErrFull for an append. A process that is refused is declined for
	// a full disk.
	Refuse error
	// LoseAck means that it happens, without an answer: to the caller it looks like Lose.
	LoseAck bool
	// AckDelay comes on top of the network's own, after the effect.
	AckDelay time.Duration
	// Again, unless 0, makes it happen once more, so much later. A sample of telemetry comes twice then,
	// the second time late.
	Again time.Duration
	// Crash ends the process that causes it, with all its memory, before or after the effect.
	Crash Crash
	// Down is how long a crash lasts. Defaults to a second.
	Down time.Duration
}

// Crash says when a replica or an agent is to end.
type Crash uint8

// Crashes. What runs on a host survives its agent: the shims hold it.
const (
	NoCrash Crash = iota
	CrashBefore
	CrashAfter
)

// Faults is a plan of what fails. It must draw from a random stream of its own, so that a seed repeats it.
type Faults interface {
	// Begin is called once, before the first step. The plan may keep the World
	// and act on it at times, independent of effects: see World.At.
	Begin(*World)
	// Fate says what becomes of an effect.
	Fate(Effect) Fate
}

// fate asks the plan, if there is one.
func (w *World) fate(op Op, process, from string) Fate {
	if w.Faults == nil {
		return Fate{}
	}
	return w.Faults.Fate(Effect{op, w.now, process, from})
}

// ackTimeout is how long the caller of an append waits for its acknowledgement.
const ackTimeout = 5 * time.Second

// performEffect performs an effect of the replica. It happens after the network's latency and what the plan
// adds. After another latency acked is called, unless the replica has crashed meanwhile. Lost is
// set when it is unknown whether the effect happened.
func (r *replica) performEffect(op Op, effect func(), acked func(refused error, lost bool)) {
	f := r.w.fate(op, r.process, "")
	life := r.life
	if f.Crash == CrashBefore {
		r.crashFor(f.Down)
		return
	}
	r.w.after(r.latency()+f.Delay, func() {
		wait := r.latency() + f.AckDelay
		if f.Lose || f.LoseAck {
			wait += ackTimeout
		}
		if !f.Lose && f.Refuse == nil {
			effect()
			if f.Again > 0 {
				r.w.after(f.Again, effect)
			}
		}
		if f.Crash == CrashAfter && r.life == life {
			r.crashFor(f.Down)
			return
		}
		r.w.after(wait, func() {
			if r.life == life {
				acked(f.Refuse, f.Lose || f.LoseAck)
				r.turn()
			}
		})
	})
}
