// Package admission decides at submission whether a job may run, with the figures behind the verdict,
// instead of letting its deadline pass.
//
// It moves what clients publish from the inbox into the log, each message as
// exactly one event that carries the message's sequence, in order:
//
//	message               events in the log
//	submission            submitted, and its verdict: admitted or rejected
//	invalid submission    rejected
//	cancel, retry         cancelled, retried; void if they do not fit
//	bytes of no document  none: they are kept in quarantine
//
// A verdict that cannot be given yet comes later; the job waits in the ledger as
// submitted. That is so until a host has sent telemetry. No job is rejected for want of CPU
// before each host has sent telemetry for ten seconds.
//
// # Parts
//
// The Actor folds the log and collects decisions. Its parts share what it knows (package facts):
//
//	inbox     what clients sent and has no event yet, and the replies to them
//	pool      the jobs by deadline, what hosts offer (supply), what tasks cost (costs), and trials
//	judge     when jobs end, and which waiting jobs a new one delays
//	verdicts  which jobs may run, with the reasons (here)
//	checker   whether promises still hold (here)
//	book      the promises, and the margin that follows from what became of them
//
// What needs no other part: outlook, what hosts are expected to leave; level, work poured over
// slots; variance, how tasks' times differ; span, the unit of all predictions.
//
// # Modes
//
// A job with a deadline is admitted if MIMP's equation 7 holds: its deadline is
// not before the end of the jobs with earlier deadlines and of itself.
//
//	mode      checks                            predicts with
//	affected  its own deadline, and that of     rehearsals of the queue, what hosts are expected
//	          every job it pushes, unless that  to leave, the margin of recalibration
//	          promise is broken already
//	eq7       its own deadline: the paper's     equation 6 and its floors, present residuals
//	all       nothing                           as affected; no promise, no warning
//
//	jobs by deadline    ├─ A ─┤├── new ──┤├─ B ─┤├─ C ─┤   no deadline …
//	                          ▲          ▲      ▲      ▲
//	must not be passed:     A's D     new's D   B's D   C's D (affected)
//
// Jobs without a deadline come last and are always admitted, if there is a host
// that can run them at all. The earliest safe deadline of a rejected job follows
// from the same picture: see opening and earliest.
//
// # Predictions
//
// A queue of up to 256 jobs is rehearsed: its tasks are played on the present slots, by deadline.
// Each slot takes the next task when it is free, the best of those that are free at once first. A
// slot on which a task would end later than on one that is still taken is left empty, as the
// policies do (see holds). Running tasks end as their models say.
//
// A rehearsal is up to sixteen takes. In each, task times vary as they do in the types' models,
// because the result of list scheduling depends on which slot is free first. The announced end is
// that of the take without variance. A promise has to hold in half of the takes; the margin makes
// 99 in 100 of it (see recalibration). A newcomer hurts a job if in more than half of the takes the
// job keeps its deadline only without the newcomer.
//
//	take 0  slot 1  ▓▓▓▓aaaaaabbbbbb          ▓ runs already
//	        slot 2  aaaaaaaaaaaaa             a, b waiting jobs, by deadline
//	take 1  slot 1  ▓▓▓▓▓▓aaaaabbbbbbb        the same with other times: b ends on
//	        slot 2  aaaaaaaaaaaabbbbbbbbbbbb  the slower slot
//
// A take ends when all that was asked is known, or after 1,500 tasks. The rest, and longer queues
// from the first job on, is poured over the slots as work. A stage's task costs its average time
// over the slots it may use (equation 6), and the waiting work fills the slots as they get free, by
// deadline (see package level). Added to that are the longest chain of stages, and what other jobs in the
// pool may add (see contend). The paper's mode pours everything.
//
// While a stage's type has no model, a task takes the stage's estimate, or 60 s, on an idle core,
// in proportion to the residual. That is on the safe side, except for tasks longer than that. A
// job's own finished tasks correct it, and later its type's model: see shown.
//
// Residuals are what hosts are expected to leave. For the next ten minutes that is mostly what they
// left in the last five; beyond an hour it is the average of their last week; between, half of each
// (see package outlook). Where the day of a host's tenant is known, each of the next hours up to the
// 24th has its own expectation: the average, less what the tenant uses then above its own average
// (see outlook.Day). So a job that comes at the evening peak and is due in the morning is judged by
// the night.
//
// Soonest and Latest bound a finish so that nine outcomes in ten lie within. They are the 5th
// and the 95th percentile of the last 64 outcomes, each the time that a job with a deadline took over the predicted
// time. Before there are 19 of them, they are the models' own tenth and ninetieth percentiles. A guess
// has no such bounds (see judge.Interval).
//
// # Recalibration
//
// The margin is a share added to every prediction. It follows from the log, in
// book.Calibration, by what finished jobs with a deadline and a model took:
//
//	what tasks took over what was predicted    90th percentile of the last 32, at
//	of them, waiting not counted               least 8: up at once, down by 0.02 a job
//	promises that were broken                  +0.05 to +0.5 for each that was made since the
//	                                           last one broke; −1 % for each kept
//
// The greater of the two counts, at most 2. Waiting is left out because the slotter makes a job
// wait on purpose while its deadline allows, and because later and more urgent jobs may push it.
// Neither makes a prediction of tasks wrong, and a promise broken by either still counts. Cancelled
// and failed jobs teach nothing. Nor do jobs that an operator paused, that lost a host they ran on,
// or that lived through a pause or loss of a tenth of the slots.
//
// # Promises in danger
//
// Every five seconds all promises are predicted again. One that is now late by more than a fiftieth
// of its time is endangered, with the causes that can be known; one that is early by as much is out
// of danger. A job with tasks slower than their model counts as slow by the factor it shows (see
// pace).
//
// # Dry runs
//
// subjects.AskAdmission answers with the verdict a document would get now.
package admission
