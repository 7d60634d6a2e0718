package subjects

import (
	"fmt"
	"math"
)

// checker is an event or a sample in which some values would break the calculations of
// its readers. check names the field and the bounds it breaks.
type checker interface{ check() error }

func check(v any) error {
	if c, ok := v.(checker); ok {
		return c.check()
	}
	return nil
}

// Bounds of what a host can be and a task can take.
const (
	MaxSlots    = 1 << 16 // slots of a host, and places ahead of them
	MaxCores    = 1 << 16 // cores of a host
	MaxWidth    = 1 << 10 // slots of a task
	maxPart     = 999     // thousandths of a slot
	maxLabels   = 256
	maxLabel    = 64 << 10 // bytes of all labels of a host
	maxIdentity = 4 << 10  // bytes of a process's names and addresses
	maxRule     = 64       // bytes of a rule's name
	maxPushes   = 64 * MaxPushed
	maxRates    = 1 << 10      // stages of a job that are paced
	maxSpeeds   = 2 * MaxSlots // tasks of a host that move
	maxSensor   = 64           // bytes of a sensor's name
	maxModel    = 256          // bytes of a model's name: of a type and a stage
	maxAttempts = 4 * MaxSlots // attempts that a heartbeat may list
	maxSeconds  = 1e12         // 31,700 years
	maxAmount   = 1e30         // more than any amount; sums of many, and percentages, are still numbers
	maxMargin   = 1e6          // share added to a prediction
)

// bound is a number that must be finite and within [low, high].
type bound struct {
	name      string
	value     float64
	low, high float64
}

func within(bounds ...bound) error {
	for _, b := range bounds {
		if !(b.low <= b.value && b.value <= b.high) { // so written, NaN fails
			return fmt.Errorf("%s is %v: it must be a number from %v to %v", b.name, b.value, b.low, b.high)
		}
	}
	return nil
}

func span(name string, seconds float64) bound { return bound{name, seconds, -maxSeconds, maxSeconds} }
func amount(name string, v float64) bound     { return bound{name, v, 0, maxAmount} }
func factor(name string, v float64) bound     { return bound{name, v, 0, math.MaxFloat64} }
func share(name string, v float64) bound      { return bound{name, v, 0, 1} }
func count(name string, v int64) bound        { return bound{name, float64(v), 0, math.MaxInt64} }

// atMost bounds a length or a whole number.
func atMost[N int | uint32](name string, n, most N) error {
	if n > most {
		return fmt.Errorf("%s is %d: at most %d are allowed", name, n, most)
	}
	return nil
}
