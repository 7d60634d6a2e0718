package ledger

import (
	"time"

	"lull/subjects"
	"lull/subjects/ledger/harm"
)

// Version of the fold and of the form of its snapshots. Another one means that
// the same log may give another state; Section has the way to it from the one
// before. It rises once a release, whatever changes.
const Version = 10

// State is what a prefix of the log means. The zero value is not ready: use
// New. It is not safe for concurrent use.
type State struct {
	Seq   uint64 // last entry applied
	Inbox uint64 // last inbox message that became an event
	// InboxCreated is when the inbox that Inbox counts in was made, in Unix
	// nanoseconds; 0 until a term says it.
	InboxCreated int64
	Paused       bool // no assignments in the whole pool
	// PausedBy is the user that paused the pool; nil if it is not paused, or the user is unknown.
	PausedBy *Attribution
	// Vouched says that the server proves the users in subjects: see subjects.Led.
	Vouched bool
	// Tenants is what the classifier reported.
	Tenants Tenants
	// Owners are the tenants of hosts.
	Owners Owners
	// Network is what operators say of the links between hosts; nil if they say nothing.
	Network *Network
	// Accuracies say how well the times of placed jobs were predicted.
	Accuracies Accuracies
	// Followers are the jobs that wait for others.
	Followers Followers

	clock clock

	jobs     map[string]*Job
	order    Jobs // all jobs kept, by submission
	live     Jobs // those that have not ended, by submission
	interner interner

	released []*Job // by the entry that is being applied: see Change.Released

	ended   endedJobs // jobs that have ended, but for the rejected ones
	rejects endedJobs

	hosts  map[string]*Host
	byName []*Host // sorted by name
	byID   []*Host // in order of appearance: a task keeps a host's index
	gone   int     // hosts that left or were lost

	attempts  attemptTable
	uses      uses // of models, by open jobs
	models    learned[*subjects.Fitted]
	fetchRate float64 // that the models say
	terms     terms
	queues    []Queue // those that operators spoke of, by name
	harm      harm.Accounts

	responses learned[*subjects.Identified]
}

// New returns the state of an empty log.
func New() *State {
	u := uses{}
	return &State{
		uses:     u,
		jobs:     map[string]*Job{},
		order:    NewJobs(),
		live:     NewJobs(),
		interner: newInterner(),

		Followers: newFollowers(),
		hosts:     map[string]*Host{},
		attempts:  newAttemptTable(),
		models:    newLearned[*subjects.Fitted](u),
		terms:     terms{},

		responses: newLearned[*subjects.Identified](u),
	}
}

// Verdict says what an event did.
type Verdict struct {
	Outcome Outcome
	Why     string // of Void
}

// Outcome of an event.
type Outcome uint8

const (
	// Void says that the event did not fit. It changed nothing but Seq and
	// Inbox, which say how far the log and the inbox have been dealt with, and
	// the time.
	Void Outcome = iota
	// Accepted says that the event changed the state, or confirmed it.
	Accepted
	// Committed is Accepted by the one finish that counts for its task.
	Committed
)

func void(why string) Verdict { return Verdict{Void, why} }

var accepted = Verdict{Outcome: Accepted}

// Apply folds one entry of the log and returns what that changed. Sequences must rise; an
// entry at or below Seq is void.
func (s *State) Apply(seq uint64, at time.Time, e subjects.Event) Change {
	if seq <= s.Seq {
		return Change{Verdict: void("the entry was applied before")}
	}
	s.Seq = seq
	if back := s.clock.applyStamp(at.UnixNano()); back > 0 {
		s.rewind(back)
	}
	var c Change
	if given, ok := e.(*subjects.Assigned); ok { // the most frequent one, which names no attempt
		c.Job = s.jobs[given.Job]
		c.noteBefore()
		c.Attempt, c.Verdict = s.assigned(seq, s.clock.now, c.Job, given)
		c.After = c.Before
	} else {
		inbox, born := s.Inbox, s.InboxCreated
		s.released = nil
		c = s.about(e)
		c.Verdict = s.apply(seq, s.clock.now, e)
		c.Reborn = s.InboxCreated != born && (born != 0 || s.Inbox < inbox)
		s.complete(&c, e)
		c.Released = s.released
	}
	s.forget(s.clock.now)
	return c
}

// apply folds the other events that come once a task.
func (s *State) apply(seq uint64, now int64, e subjects.Event) Verdict {
	switch e := e.(type) {
	case *subjects.Started:
		return s.started(now, e)
	case *subjects.Finished:
		return s.finished(e)
	case *subjects.Failed:
		return s.failed(now, e)
	case *subjects.Evicted:
		return s.evicted(now, e)
	case *subjects.Declined:
		return s.declined(now, e)
	case *subjects.Revoked:
		return s.revoked(e)
	case *subjects.OutputLost:
		return s.outputLost(e)
	case *subjects.OutputMissing:
		return s.outputMissing(now, e)
	}
	return s.applyRare(seq, now, e)
}

// applyRare folds the events that come once a job or a host, not once a task.
func (s *State) applyRare(seq uint64, now int64, e subjects.Event) Verdict {
	switch e := e.(type) {
	case *subjects.Submitted:
		return s.submitted(seq, e)
	case *subjects.Admitted:
		return s.admitted(now, e)
	case *subjects.Rejected:
		return s.rejected(seq, now, e)
	case *subjects.Trying:
		return s.trying(now, e)
	case *subjects.Endangered:
		return s.endangered(e)
	case *subjects.Steered:
		return s.steered(now, e)
	case *subjects.Placed:
		return s.placed(seq, now, e)
	case *subjects.StageFailed:
		return s.stageFailed(e)
	case *subjects.Cancelled:
		return s.cancelled(now, e)
	case *subjects.TasksCancelled:
		return tasksCancelled(s, e)
	case *subjects.Retried:
		return s.retried(seq, now, e)
	case *subjects.JobFinished:
		return s.jobFinished(now, e)
	case *subjects.JobFailed:
		return s.jobFailed(now, e)
	case *subjects.Joined:
		return s.joined(seq, now, e)
	case *subjects.Left:
		return s.left(now, e)
	case *subjects.Lost:
		return s.lost(now, e)
	case *subjects.Paused, *subjects.Resumed:
		return s.pausedOrResumed(e)
	case *subjects.Drained:
		return s.drained(e)
	case *subjects.Harmed:
		return s.harmed(now, e)
	}
	return s.applyPool(seq, now, e)
}

func (s *State) applyPool(seq uint64, now int64, e subjects.Event) Verdict {
	switch e := e.(type) {
	case *subjects.Fitted:
		return s.fitted(seq, e)
	case *subjects.PoolPaused:
		s.Paused, s.PausedBy = true, s.operatorAttribution(e.User, e.Who, e.Why)
		return accepted
	case *subjects.PoolResumed:
		s.Paused, s.PausedBy = false, nil
		return accepted
	case *subjects.Shared:
		return s.shared(e)
	case *subjects.Classified, *subjects.PoolClassified:
		return s.Tenants.Apply(time.Unix(0, now), e)
	case *subjects.Owned:
		return s.Owners.replace(e)
	case *subjects.Wired:
		return s.wired(now, e)
	case *subjects.Paced:
		return s.paced(e)
	case *subjects.Identified:
		return s.identified(seq, e)
	case *subjects.Voided: // what is lost means nothing; what is missing then is decided again
		s.Inbox = max(s.Inbox, e.Inbox)
		return accepted
	case *subjects.Led:
		return s.led(seq, e)
	}
	return void("the ledger does not fold this kind of event")
}
