package profile

import "fmt"

// Pattern is how a tenant's usage behaves.
type Pattern uint8

// The patterns. What is not known is unpredictable.
const (
	Unpredictable Pattern = iota
	Constant
	Periodic
)

var patternNames = [...]string{"unpredictable", "constant", "periodic"}

// Patterns are all of them, in the order of their values.
func Patterns() []Pattern { return []Pattern{Unpredictable, Constant, Periodic} }

// String is the pattern's word.
func (p Pattern) String() string {
	if int(p) < len(patternNames) {
		return patternNames[p]
	}
	return fmt.Sprintf("pattern %d", uint8(p))
}

// Check refuses a pattern that came from elsewhere and is none of them.
func (p Pattern) Check() error {
	if int(p) >= len(patternNames) {
		return fmt.Errorf("pattern %d is unknown", uint8(p))
	}
	return nil
}
