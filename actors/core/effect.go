package core

import (
	"time"

	"lull/actors"
	"lull/subjects"
)

// Effect is what an input calls for. The types below are all there are.
type Effect interface{ effect() }

type (
	// Do carries out actions of the actor.
	Do struct{ Actions []actors.Action }
	// Answer is the verdict on a message of the inbox. It stands in the log.
	Answer struct{ actors.Reply }
	// Taken says that the actor has a message of the inbox: the shell matches its answer to it.
	Taken struct{ *actors.Request }
	// Quarantine keeps bytes that are no message of ours in quarantine, with the reason.
	Quarantine struct {
		Where, ID string
		Reason    error
		Body      []byte
	}

	// Append adds a batch to the log, all or none, on the condition of its fence. The
	// outcome is Appended.
	Append struct {
		Batch []Draft
		Fence actors.Fence
	}
	// Save stores a snapshot. A snapshot that was saved may replace older versions'
	// (Outdated), and if Trim is set the log is trimmed (TrimBelow). The outcome is Saved.
	Save struct {
		Snapshot actors.Snapshot
		Trim     bool
	}

	// OpenInbox reads the inbox from a sequence on. The outcome is InboxOpened.
	OpenInbox struct{ From uint64 }
	// CloseInbox reads it no longer.
	CloseInbox struct{}

	// Term says that an instance opened a term, which the core has folded.
	Term struct{ Seq uint64 }
	// Lead says whether this instance is the writer of its partition from now on.
	Lead struct{ Leads bool }
	// Landed says that a batch came back from the log, and how long after it was sent.
	Landed struct{ After time.Duration }

	// Unhealthy says what keeps the core from its work. The shell logs Note if What has changed.
	Unhealthy struct {
		What string
		Note Note
	}
	// Healthy says that nothing keeps the core from its work any more.
	Healthy struct{}
	// Wait says why new work waits, "" if it no longer does.
	Wait struct{ Why string }
	// Note is a line of the log that people read.
	Note struct {
		Severity Severity
		Text     string
		Args     []any // keys and values in turn
	}
)

// Severity is how much a Note matters.
type Severity uint8

// Severities of notes.
const (
	Info Severity = iota
	Warning
	Fault
)

// Draft is a decision on its way into a batch.
type Draft struct {
	Event   subjects.Event
	Message subjects.Message
}

func (Do) effect()         {}
func (Answer) effect()     {}
func (Taken) effect()      {}
func (Quarantine) effect() {}
func (Claim) effect()      {}
func (Append) effect()     {}
func (Save) effect()       {}
func (OpenInbox) effect()  {}
func (CloseInbox) effect() {}
func (Term) effect()       {}
func (Lead) effect()       {}
func (Landed) effect()     {}
func (Unhealthy) effect()  {}
func (Healthy) effect()    {}
func (Wait) effect()       {}
func (Note) effect()       {}
