package steering

import (
	"math"

	"lull/subjects/profile"
)

// Cores are thousandths of a core.
type Cores int64

// Whole is a number of cores.
func Whole(n int) Cores { return Cores(n) * 1000 }

// Usage is what primaries use of their hosts, in shares of all cores from 0 to 1.
type Usage struct{ Average, Peak float64 }

// Host is what one open host can give.
type Host struct {
	Cores   int
	Used    float64 // by the primary now, a share of all cores
	Reserve int     // cores kept free beside the primary and batch work
	Held    Cores   // by batch work
}

// Rooms are cores that can be given to jobs of each length.
type Rooms [lengths]Cores

// Room is what a host of a class with such usage can give: max(0, cores·(1−u) − reserve − held),
// with the usage u that a job of each length must expect.
func (h *Host) Room(class Usage) Rooms {
	now := share(h.Used)
	return Rooms{
		Short:  h.room(now),
		Medium: h.room(max(share(class.Average), now)),
		Long:   h.room(max(share(class.Peak), now)),
	}
}

func (h *Host) room(used float64) Cores {
	idle := Cores(math.Floor(1000 * float64(h.Cores) * (1 - used)))
	return max(0, idle-Whole(h.Reserve)-h.Held)
}

// share bounds a share. What is not known counts as all.
func share(u float64) float64 {
	if !(u >= 0 && u <= 1) {
		return 1
	}
	return u
}

// Class is a class of tenants with what its open hosts can give.
type Class struct {
	Name    string
	Pattern profile.Pattern
	Usage
	// Rooms are the sums over its hosts: see Host.Room.
	Rooms Rooms
	// Claimed is what jobs that were steered here may still claim: see Claims.
	Claimed Cores
}

// Add counts a host's room, or takes back what was counted of it before.
func (c *Class) Add(r Rooms, back Rooms) {
	for l := range r {
		c.Rooms[l] += r[l] - back[l]
	}
}

// Headroom is what the class can give to a further job of the length.
func (c *Class) Headroom(l Length) Cores { return max(0, c.Rooms[l]-c.Claimed) }
