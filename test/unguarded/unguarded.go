// Package unguarded makes hosts of tests run tasks whatever else the machine does. Other tests are the primary of such a host:
// they would have its guard freeze tasks for minutes, and would leave these no idle CPU. It is for tests of all but the
// protection itself.
package unguarded

import (
	"time"

	"lull/hostctl"
	"lull/hostctl/spreading"
)

// starve is how long tasks wait for idle CPU before they get as much at ordinary weight.
const starve = time.Second

// Flags are those of `lull up` and `lull agent`. Flags behind them take precedence.
func Flags() []string {
	return []string{"--guard-budget", "0", "--spread", "off", "--reserve-cpu", "0", "--starve-after", starve.String(), "--starve-run", starve.String()}
}

// Set does the same for a host in the test's own process.
func Set(o *hostctl.Options) {
	o.GuardBudget, o.Spread, o.StarveAfter, o.StarveRun = -1, spreading.Off, starve, starve
}
