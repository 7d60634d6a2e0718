// Package slotter decides which job's task gets a free slot, and says what
// else the lives of jobs, attempts and hosts call for.
//
// It folds a pool's log with a ledger of its own and reads telemetry: what the primary tenants
// leave idle, and what the hosts run. All decisions follow from that state, so a decision whose
// batch is lost is simply made again:
//
//	a live job is complete, or one of its tasks is dead   finished, failed
//	an attempt that no job waits for                      revoked
//	an attempt that its host does not hold, or the        revoked, so that
//	ledger does not know                                  the host answers
//	a host is silent                                      lost
//	a lost host kept outputs that are still read          outputlost
//	(a live host reports outputs that it has lost itself)
//	a type's samples have outgrown its model              fitted
//	a job may start, and tenants have classes             steered
//	a slot is free and a task may use it                  assigned
//	a slot is free that no task waits for, and what runs  assigned as a rival
//	elsewhere would end later than a second attempt
//	a host does not know what its tasks are to read       paced
//	a claim to slots stood unmet, and others borrow them  revoked, for a job
//
// One round of assignments walks over the free slots, the best residual first,
// and asks the pool's policy what each should run. Tasks of the same needs
// (cores, memory, labels) wait in one line; within a line, stages with the
// same completion-time curve form a group. So a slot is compared with a few
// heads instead of a thousand jobs:
//
//	slot (residual 0.42) ──▶ line: 1 core, 256 MB ──▶ group: curve of "sort"  ──▶ job 3, job 9 …
//	                    └──▶ line: 4 cores        └──▶ group: curve of "grep" ──▶ job 5 …
//
// If the policy would choose a task that needs more of a host than is free, that host is reserved
// for it; one host at a time.
//
// The policies are fifo, edf, mp (MIMP's rules), mp+ (lull's own), and harvest: fifo on hosts drawn
// by their free slots. What they say of an assignment, and what it means:
//
//	fifo, edf   the oldest job; the earliest deadline
//	mp-i        MIMP's rule (i): its job would miss its deadline (equation 3)
//	mp-ii       MIMP's rule (ii): its type is slowed least there (equation 2)
//	mp+risk     by rates and with a margin, its job would miss its deadline
//	mp+wait     its job was given nothing for ten minutes
//	mp+beyond   its job was placed, and keeping to its hosts would cost it more than moving data
//	mp+fit      its type gains most there over an average slot
//	explore     its type has no model, and no task tried such a slot: mp, mp+
//	rival       a second attempt of a straggler, under any policy
//
// Under mp+ a slot may stay empty although a task waits: see package policy.
//
// Rule (iii) skips a job whose data nodes are full, without an event: see facts.Facts.Saturated. The rates
// that rule (i) compares are sums over a job's attempts, kept up to date host by host: no decision
// adds up a pool.
//
// When no slot is left, brief tasks may take the places ahead that hosts offer, where they wait for
// a slot. The next one then starts when one ends, without a round trip through the log. The order
// stays the policy's: if a host's next slot should go to a long or wide task, it takes no task
// ahead of that one.
//
// Lines belong to queues. Where tasks of several queues wait, the policy names each line's claim,
// and the queues' weights decide which of them gets the slot: see package assigning. Jobs that compete get a
// rate, in bytes/s, for their tasks: see package pacing, and package capacity for how a whole is
// divided.
//
// A queue beyond its share makes way for one with a claim. Depending on Config.Preempt its tasks
// are slowed, or also ended where the claim is to a slot, or left alone: see package preemption.
//
// A round looks at the jobs that have begun, and at the first ones of each kind that have not. A
// kind is the jobs of a queue whose tasks have the same needs, by deadline and then by submission.
// So a round's time does not grow with the queue: see backlog.
//
// A round does not change the state: it plans on copies, and the plan becomes
// true when the batch comes back from the log.
//
// The Actor folds, decides and saves. The work is done by its parts, each with a state of
// its own over what all share (package facts):
//
//	liveness     which hosts are lost
//	endings      which jobs have ended, and which tasks must run again
//	reconcile    which attempts are revoked because host and ledger disagree
//	backlog      jobs that have not begun
//	tracking     rates and progress of what runs, the pool's supply, loads of data nodes
//	learning     completion-time models
//	tenants      the classes of tenants on whose hosts a job runs, and how likely tasks are to stay on a host
//	placing      the hosts that the placer chose
//	pacing       rates of jobs that compete
//	assigning    rounds of assignments, with second attempts of stragglers
//	preemption   claims to slots that others borrow
//
// A round lines up tasks (waitlist) and free slots (places), and the policy chooses (policy: the rules, with the
// deadlines at risk and the slots left empty).
package slotter
