package slotter

import (
	"fmt"
	"time"

	"lull/subjects/tct"
)

// usualOver is the time over which a host's usual idle cores are averaged.
const usualOver = float64(10 * time.Minute)

// outlook is what a host's primary usually leaves idle. A task that starts now
// sees what is idle now for a while and then what usually is, so mp+ places it
// by the mean of both, which is right for a task that takes as long as a
// deviation lasts. Only mp+ looks at it; what runs is predicted at the present
// residual.
type outlook struct {
	Mean float64 `msgpack:"mean"` // cores
	Last float64 `msgpack:"last"` // cores, at the last sample
	At   int64   `msgpack:"at"`   // of the last sample, 0 before the first
}

// add takes a sample in: what was idle since the one before counts by how long
// it lasted. The weight is rational, because an exponential may differ in its
// last bit between architectures.
func (o *outlook) add(idle float64, now int64) {
	if o.At == 0 {
		*o = outlook{idle, idle, now}
		return
	}
	lasted := float64(max(now-o.At, 0))
	o.Mean += (o.Last - o.Mean) * lasted / (lasted + usualOver)
	o.Last, o.At = idle, now
}

// ahead is the residual that a slot of the host is expected to have over the
// life of a task when so many more are busy.
func (h *host) ahead(width uint32) float64 {
	return tct.Residual((h.idle+h.outlook.Mean)/2, min(h.busy+int(width), h.slots))
}

// loadOutlooks takes over what a snapshot kept, of the hosts by name.
func (a *Actor) loadOutlooks(all []outlook) error {
	if len(all) != len(a.hosts.byName) {
		return fmt.Errorf("slotter snapshot: it has the idle cores of %d of %d hosts", len(all), len(a.hosts.byName))
	}
	for i, h := range a.hosts.byName {
		h.outlook = all[i]
	}
	return nil
}
