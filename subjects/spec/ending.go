package spec

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// DefaultGrace is the time between SIGTERM and SIGKILL of a task unless its stage says otherwise.
const DefaultGrace = 5 * time.Second

// MaxGrace bounds a stage's grace: a task that is to end keeps its slot for as long.
const MaxGrace = time.Hour

// Ending says how tasks of a stage are ended. Readers of before Format 6 pass over it.
type Ending struct {
	// Grace is the time between SIGTERM and SIGKILL, 0 for DefaultGrace.
	Grace time.Duration `msgpack:"grace,omitempty"`
	// WarnBefore is how long before its timeout a task gets the signal WarnSignal, such as USR1; 0 for never.
	WarnBefore time.Duration `msgpack:"warn_before,omitempty"`
	WarnSignal string        `msgpack:"warn_signal,omitempty"`
}

// EndsOwnWay reports whether any stage of the job says how its tasks are ended.
func EndsOwnWay(j *Job) bool {
	return slices.ContainsFunc(j.Stages, func(s Stage) bool { return s.Ending != (Ending{}) })
}

// Warn is a signal ahead of a timeout, as a document says it.
type Warn struct {
	Before Duration `json:"before"`
	Signal string   `json:"signal,omitempty"` // "" for USR1
}

const defaultWarning = "USR1"

// warnings are the signals that a task can be warned with: those that a program can handle, and that
// the system does not send for reasons of its own. The numbers are those of Linux on all architectures
// that hosts have.
var warnings = map[string]int{
	"HUP": 1, "INT": 2, "QUIT": 3, "USR1": 10, "USR2": 12, "ALRM": 14, "TERM": 15, "CONT": 18, "URG": 23, "WINCH": 28,
}

// Warning returns the number of the signal that a task gets ahead of its timeout, 0 for none.
func (e Ending) Warning() int { return warnings[e.WarnSignal] }

// endingOf is the canonical form of what a document says.
func endingOf(s *DocStage) (e Ending) {
	e.Grace = time.Duration(s.Grace)
	if s.Warn != nil {
		e.WarnBefore, e.WarnSignal = time.Duration(s.Warn.Before), s.Warn.Signal
		if e.WarnSignal == "" {
			e.WarnSignal = defaultWarning
		}
	}
	return e
}

// recoverEnding is the inverse of endingOf.
func recoverEnding(s *DocStage, e Ending) {
	s.Grace = Duration(e.Grace)
	if e.WarnBefore > 0 {
		s.Warn = &Warn{Duration(e.WarnBefore), e.WarnSignal}
	}
}

// endingFields are the fields that say how tasks are ended.
func endingFields(s *DocStage) []field {
	return []field{
		duration("grace", &s.Grace).says("How long a task that is to end has between SIGTERM, which all of its processes get, and SIGKILL: at most `1h`. An agent may allow less when it evicts (`--eviction-grace`). Default: 5s."),
		field{name: "warn", read: readWarn(s), form: warnForm}.says("A signal ahead of `timeout`: `{before: 2m, signal: USR1}`. Those processes of the task get it that have a handler for it. Default: none, and `USR1` without `signal`."),
	}
}

func (w *Warn) fields() []field {
	return []field{
		duration("before", &w.Before).required().says("How long before the timeout."),
		field{name: "signal", read: w.readSignal, form: signalForm}.says("The signal's name. Default: `USR1`."),
	}
}

func readWarn(s *DocStage) func(value) error {
	return func(v value) error {
		s.Warn = &Warn{}
		return v.fields(s.Warn.fields()...)
	}
}

func (w *Warn) readSignal(v value) error {
	text, err := v.text()
	if err != nil {
		return err
	}
	w.Signal = strings.TrimPrefix(strings.ToUpper(text), "SIG")
	if warnings[w.Signal] == 0 {
		return v.faultf("%q is not a signal that a task can be warned with: write one of %s", text, strings.Join(warningNames(), ", "))
	}
	return nil
}

func warningNames() []string { return slices.Sorted(maps.Keys(warnings)) }

func warnForm(*field) *Schema { return objectOf(new(Warn).fields()) }

func signalForm(*field) *Schema { return &Schema{Type: "string", Enum: warningNames()} }

// checkEnding checks how tasks are ended.
func (s *Stage) checkEnding(at string) error {
	switch {
	case s.Publish && s.Ending != (Ending{}):
		return faultf(at, "the publishing stage has the usual end: leave grace and warn out")
	case s.Grace < 0 || s.Grace > MaxGrace:
		return faultf(at+".grace", "%v is out of bounds: give at most %v", s.Grace, MaxGrace)
	case s.WarnBefore == 0 && s.WarnSignal == "":
		return nil
	case s.WarnBefore <= 0 || s.Warning() == 0:
		return faultf(at+".warn", "%.20q %v before the timeout is no warning: write it as {before: 2m, signal: USR1}", s.WarnSignal, s.WarnBefore)
	case s.Timeout == 0:
		return faultf(at+".warn", "there is no timeout to warn of: give the stage a timeout, too")
	case s.WarnBefore >= s.Timeout:
		return faultf(at+".warn.before", "%v is not less than the timeout of %v: give less", s.WarnBefore, s.Timeout)
	}
	return nil
}
