package measure

import (
	"fmt"
	"math"
	"strings"
)

// noisy is a latency, in seconds, that a quiet machine never shows alone: there
// it was 2 ms with this load.
const noisy = 0.03

// judge says in a sentence what the figures mean. The bounds are between the
// classes that were measured: ×1.3–2.9 with cpu.idle, ×3–8 with minimum weight,
// ×10 and more without either.
func judge(r Result) string {
	added := r.Beside.P99 - r.Alone.P99
	switch {
	case r.Alone.Requests == 0 || r.Beside.Requests == 0 || math.IsNaN(r.Ratio):
		return "Nothing was measured."
	case r.Alone.P99 > noisy:
		return fmt.Sprintf("The machine was too busy for a result: one request in a hundred took %s even alone.", milliseconds(r.Alone.P99))
	case r.Ratio <= 1.25 || added < 0.0003:
		return "The primary does not notice batch work beside it."
	case r.Ratio <= 3:
		return fmt.Sprintf("The primary notices a little: one request in a hundred comes %s later. Most users don't see that; "+
			"an agent's guard bounds it.", milliseconds(added))
	case r.Ratio <= 10:
		return fmt.Sprintf("Protection is weak: one request in a hundred comes %s later. Keep batch work to hours or hosts where that does not matter.",
			milliseconds(added))
	}
	return fmt.Sprintf("There is next to no protection: one request in a hundred comes %s later. Don't run batch work beside a "+
		"latency-critical server here.", milliseconds(added))
}

func milliseconds(seconds float64) string { return fmt.Sprintf("%.3g ms", 1000*seconds) }

// String is the report for people.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "measured       a primary of %.1f cores (requests of 1 ms), alone and beside a busy loop on each of %d cores\n", r.Load, r.Cores)
	fmt.Fprintf(&b, "               %-8s %10s %10s %10s\n", "", "p50", "p99", "requests")
	for _, row := range []struct {
		name string
		Latency
	}{{"alone", r.Alone}, {"beside", r.Beside}} {
		fmt.Fprintf(&b, "               %-8s %10s %10s %10d\n", row.name, milliseconds(row.P50), milliseconds(row.P99), row.Requests)
	}
	fmt.Fprintf(&b, "               p99 ×%.2f of alone; batch work got %.2f of %.2f idle cores\n", r.Ratio, r.Harvested, r.Idle)
	fmt.Fprintf(&b, "               under %s\n%s", r.Protection, r.Judgement)
	return b.String()
}
