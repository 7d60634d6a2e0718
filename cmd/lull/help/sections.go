package help

import (
	"github.com/spf13/pflag"
)

// Section is a heading in a command's list of flags. Flags without one come first.
type Section string

// The sections, see order.
const (
	Host        Section = "This host"
	Network     Section = "Network"
	Connection  Section = "Connection"
	Protection  Section = "Protection of the primary"
	Containment Section = "Containment of tasks"
	Scheduling  Section = "Deadlines and queues"
	Simulated   Section = "Simulated hosts and jobs"
	SWIM        Section = "SWIM traces"
	Process     Section = "Logs and memory of this process"
)

// order is the order of the sections.
var order = []Section{Host, Network, Protection, Containment, Scheduling, Simulated, SWIM, Process, Connection}

const annotation = "lull_section"

// In puts flags that f has into the section.
func (s Section) In(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, annotation, []string{string(s)}); err != nil {
			panic(err) // the flag does not exist: each run of the command shows it
		}
	}
}

// of returns the section of a flag, "" for none.
func of(flag *pflag.Flag) Section {
	if s := flag.Annotations[annotation]; len(s) == 1 {
		return Section(s[0])
	}
	return ""
}

// among returns the flags of f that are in the section.
func (s Section) among(f *pflag.FlagSet) *pflag.FlagSet {
	part := pflag.NewFlagSet(string(s), pflag.ContinueOnError)
	f.VisitAll(func(flag *pflag.Flag) {
		if of(flag) == s {
			part.AddFlag(flag)
		}
	})
	return part
}
