package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"lull/admission"
	"lull/cmd/lull/help"
	"lull/slotter"
)

// choice is a flag that takes one of a few words. A wrong one is refused when
// the command line is read, not when the service has found its server.
type choice struct {
	to    *string
	among []string
}

var _ pflag.Value = choice{}

func (c choice) String() string {
	if c.to == nil {
		return ""
	}
	return *c.to
}

func (c choice) Type() string { return strings.Join(c.among, "|") }

func (c choice) Set(word string) error {
	if !slices.Contains(c.among, word) {
		return fmt.Errorf("use one of %s", strings.Join(c.among, ", "))
	}
	*c.to = word
	return nil
}

// Choose adds a flag that takes one of a few words. Its default is the first word.
func Choose(f *pflag.FlagSet, to *string, name, usage string, among ...string) {
	*to = among[0]
	f.Var(choice{to, among}, name, usage)
}

// Policy adds --policy.
func Policy(f *pflag.FlagSet, policy *string) {
	Choose(f, policy, "policy", "which job gets a free slot first", slotter.PolicyMPPlus, slotter.PolicyMP, slotter.PolicyEDF, slotter.PolicyFIFO, slotter.PolicyHarvest)
	help.Scheduling.In(f, "policy")
}

// AdmissionMode adds --admission-mode.
func AdmissionMode(f *pflag.FlagSet, mode *string) {
	Choose(f, mode, "admission-mode", "which deadlines admission checks: those of all jobs that the new one affects (affected), its own only (eq7), none (all jobs are admitted)", admission.Modes()...)
	help.Scheduling.In(f, "admission-mode")
}
