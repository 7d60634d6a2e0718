package subjects

import (
	"cmp"
	"fmt"
	"strings"
)

// failures say in words why an attempt failed of which its host says no more.
var failures = map[string]string{
	ReasonTimeout:  "it ran longer than timeout: of its stage",
	ReasonMemory:   "it exceeded its memory limit: raise memory: of its stage",
	ReasonNotFound: "the command does not exist on the host",
	ReasonInput:    "its input is missing or has changed since the job was submitted",
	ReasonOutput:   "its output could not be kept",
}

// Words returns why an attempt failed, in the words that every command prints.
func (e *Failed) Words() string {
	switch e.Reason {
	case ReasonExit:
		if e.Exit < 0 {
			return fmt.Sprintf("the command was killed by signal %d", -e.Exit)
		}
		return fmt.Sprintf("the command exited with status %d%s", e.Exit, detailSuffix(e.Text))
	case ReasonSignal:
		return fmt.Sprintf("the command was killed by signal %d", -e.Exit)
	case ReasonVanished:
		return "the process was lost with its machine"
	}
	return cmp.Or(clause(e.Text), failures[e.Reason], e.Reason)
}

// detailSuffix is text as an addition to the exit status, such as a full disk; "" if there is none.
func detailSuffix(text string) string {
	if text = clause(text); text == "" {
		return ""
	}
	return ": " + text
}

// clause returns the first line of a text without the brackets at its end, which contain the
// operating system's message.
func clause(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if before, _, ok := strings.Cut(text, " ("); ok && strings.HasSuffix(text, ")") {
		text = before
	}
	return text
}
