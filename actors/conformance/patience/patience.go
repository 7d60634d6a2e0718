// Package patience shows how small a service is: it resumes hosts whose pause has lasted too long.
// Only the line that wires it is elsewhere, in conformance's newcomer.
package patience

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Actor is the pure half of the service.
type Actor struct {
	Patience time.Duration
	since    map[string]time.Time // hosts that are paused
}

// Role is the service's part in a pool.
func Role() actors.Role { return actors.Service("patience", 1, nil) }

// Step follows the pauses, and decides which have lasted too long.
func (a *Actor) Step(in actors.Input) (out actors.Output) {
	if a.since == nil {
		a.since = map[string]time.Time{}
	}
	if in.Entry != nil {
		switch e := in.Entry.Event.(type) {
		case *subjects.Paused:
			a.since[e.Host] = in.Entry.Time
		case *subjects.Resumed:
			delete(a.since, e.Host)
		}
	}
	for _, host := range slices.Sorted(maps.Keys(a.since)) {
		end := a.since[host].Add(a.Patience)
		switch {
		case in.Now.Before(end) && (out.Wake.IsZero() || end.Before(out.Wake)):
			out.Wake = end
		case in.Decide && !in.Now.Before(end):
			out.Events = append(out.Events, &subjects.Resumed{Host: host})
		}
	}
	return out
}

// Snapshot returns the pauses that are followed.
func (a *Actor) Snapshot() ([]byte, error) { return json.Marshal(a.since) }

// Restore follows the pauses of a snapshot.
func (a *Actor) Restore(b []byte) error { return json.Unmarshal(b, &a.since) }
