package flags

import (
	"fmt"

	"github.com/spf13/pflag"
)

// Peak adds --peak, which says what counts as a tenant's peak.
func Peak(f *pflag.FlagSet, greatest *bool) {
	f.Var((*peak)(greatest), "peak", "what counts as a tenant's peak: p99.5 (what 199 of 200 samples stay below) or max (the greatest sample, as in the paper)")
}

// peak is true for max.
type peak bool

func (p *peak) String() string {
	if p != nil && *p {
		return "max"
	}
	return "p99.5"
}

// Type names the values.
func (p *peak) Type() string { return "peak" }

// Set refuses other values.
func (p *peak) Set(s string) error {
	switch s {
	case "max", "p99.5":
		*p = s == "max"
		return nil
	}
	return fmt.Errorf("%q is not a peak: use p99.5 or max", s)
}
