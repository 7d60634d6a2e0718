// Package ledger is the one meaning of a pool's log: a pure, total fold of
// events into the lives of jobs, tasks, attempts and hosts. Every service
// folds the same log with it, and so does every reader, so that none of them
// disagrees with another about what was accepted.
//
//	for each entry of the log {
//		change := state.Apply(entry.Seq, entry.Time, entry.Event)
//	}
//
// Apply never fails: an event that does not fit the state is void and changes
// nothing. Repeats, stale facts of an older incarnation and hostile facts are
// void in that sense, so the log may hold them.
//
// A job:
//
//	submitted ──admitted──▶ admitted ──finished──▶ finished
//	    │  │                 ▲ │  ▲
//	    │  └─trying─▶ trying ┘ │  └──retried── failed, cancelled
//	    │               │      ├──failed────▶ failed
//	    └───rejected────┤      └──cancelled─▶ cancelled
//	                    ▼
//	                 rejected
//
// A few tasks of a job that is tried run before its verdict. It may finish, fail and be
// cancelled like an admitted one.
//
// A task of a job:
//
//	         ┌──────── evicted, declined, revoked, host lost ────────┐
//	         ▼                                                       │
//	┌──▶ waiting ──assigned──▶ held ──finished (first accepted)──▶ done
//	│        ▲                  │                                    │
//	│        └──────────────────┼────── output lost, or missing ─────┤
//	│                         failed                                 │
//	└── after its backoff ──────┴──▶ dead, when its retries ◀────────┘
//	                                 are used up
//
// A task that was declined, or that vanished with its shim, waits before it is given away again: a
// second, then twice as long with every further time in a row, up to a minute. A failed one waits
// for its stage's backoff, unless waiting cannot help: its command or its input is missing. Then
// its retries follow at once, for hosts that may have it.
//
// A user may cancel tasks that wait or are held. They are over, the job goes on without them, and a
// retry opens them again, also if the job has finished.
//
// An output that is missing on a live host counts as a failure of its task, which waits like
// a declined one. At least three such losses are allowed, whatever the stage's retries.
//
// An attempt (its id is the log sequence of its assigned):
//
//	assigned ──started──▶ running ──finished, failed, evicted, declined──▶ gone
//	    │                    │                                               ▲
//	    └──revoked, lost─────┴──▶ revoked, lost ─────────────────────────────┘
//
// A host offers places ahead beside its slots, numbered on from the last slot. They take tasks of
// one core, and an attempt in one waits on the host until a slot there is free. The number only
// identifies the place. A place has one attempt, and the host runs no more at once than it has
// slots.
//
// A task that is held may have one rival: a second attempt, because the first is
// predicted to end later. It does not hold the task, but is wanted until the
// task is done:
//
//	assigned as a rival ──▶ rival ──finished (first accepted)──▶ the task is done
//	                          │ └───the holder is gone──▶ it is the holder
//	                          └─failed, evicted, declined, revoked, lost──▶ gone;
//	                            the task is untouched, no retry is consumed
//
// A holder that fails consumes a retry also then. If it was the last one, the
// rival that took over is the task's last chance.
//
// An attempt occupies its slots until its host reports that it is gone: a revoked attempt may still
// run, and the attempt of a lost host may still finish. The first finish accepted for a task
// commits it, from whichever host it came.
//
// A host reports what batch work gave and took there, interval by interval. Intervals do not
// overlap, so a repeat counts nothing twice. A harm.Account sums them up for a tenant and a host, in total
// and over the hours of the last day.
//
// A host's term is the log sequence of its last joined. Its facts carry the
// term; those of another one are void.
package ledger
