package history

import (
	"slices"
	"time"
)

const (
	// Step is the time of a sample. Samples begin at multiples of it, in UTC.
	Step = 2 * time.Minute
	// PerDay is the number of samples of a day.
	PerDay = int(24 * time.Hour / Step)
	// Days is how long the stream keeps a block after it came. Readers cut by the samples'
	// own times: a block that an import put today holds older samples.
	Days = 31
	// PerWeek is the most samples of a block.
	PerWeek = 7 * PerDay
	// Unit is the number of steps of Mean, Peak and Memory: they are thousandths.
	Unit = 1000
	// MaxBody is the most bytes of a block.
	MaxBody = 64 << 10

	stepSeconds = int64(Step / time.Second)
	maxOwners   = 64
)

// Origin is the kind of writer of a block.
type Origin uint8

// Origins.
const (
	Agent  Origin = iota // the host's own agent
	Import               // an operator, from another monitoring
)

// Owner is what a host was while samples were taken.
type Owner struct {
	Tenant string // owner of the primary; "" for none
	Cores  uint32 // online CPUs; 0 if not known
	Memory int64  // bytes of RAM; 0 if not known
}

// Sample is what the primary used in one step. Mean, Peak and Memory are thousandths of the
// host's cores and of its memory.
type Sample struct {
	Mean uint16
	// Peak is the greatest mean of ten seconds within the step. It is Mean where only that
	// is known, and never less.
	Peak    uint16
	Memory  uint16
	Seconds uint8 // observed; 0 for a gap, of which nothing else is known
	Owner   uint8 // index of Block.Owners
}

// Block is consecutive samples of one host.
type Block struct {
	Origin  Origin
	From    int64 // slot of the first sample: see Slot
	Owners  []Owner
	Samples []Sample
}

// Slot is the number of the step that holds a time: steps since 1970.
func Slot(t time.Time) int64 {
	s := t.Unix()
	if s < 0 {
		s -= stepSeconds - 1
	}
	return s / stepSeconds
}

// TimeOf is the beginning of a slot.
func TimeOf(slot int64) time.Time { return time.Unix(slot*stepSeconds, 0).UTC() }

// Share returns thousandths as a number from 0 to 1.
func Share(thousandths uint16) float64 { return float64(thousandths) / Unit }

// Thousandths rounds a share. What lies outside of 0 to 1 counts as the nearer end.
func Thousandths(share float64) uint16 {
	if !(share > 0) {
		return 0
	}
	return uint16(min(share, 1)*Unit + 0.5)
}

// End is the slot behind the last sample.
func (b *Block) End() int64 { return b.From + int64(len(b.Samples)) }

// Observed counts the samples that are no gaps.
func (b *Block) Observed() (n int) {
	for i := range b.Samples {
		if b.Samples[i].Seconds > 0 {
			n++
		}
	}
	return n
}

// Reset empties a block and keeps its memory.
func (b *Block) Reset(origin Origin) {
	b.Origin, b.From, b.Owners, b.Samples = origin, 0, b.Owners[:0], b.Samples[:0]
}

// Put puts a sample in its slot and reports whether that changed the block. Of two samples of
// one slot the one with more seconds stays, of equal ones the new one. A sample is dropped if
// the block would get too long, or has too many owners.
func (b *Block) Put(slot int64, s Sample, o Owner) (changed bool) {
	if s.Seconds == 0 {
		return false
	}
	at := b.extendTo(slot)
	if at == nil || at.Seconds > s.Seconds {
		return false
	}
	owner, ok := b.ownerIndex(o)
	if !ok {
		return false
	}
	s.Owner, s.Peak = owner, max(s.Peak, s.Mean)
	changed = *at != s
	*at = s
	return changed
}

// Add is Put for parts of a step. Two parts that fit into it, as before and after a restart,
// become one sample.
func (b *Block) Add(slot int64, s Sample, o Owner) (changed bool) {
	if i := slot - b.From; i >= 0 && i < int64(len(b.Samples)) {
		if was := b.Samples[i]; was.Seconds > 0 && int64(was.Seconds)+int64(s.Seconds) <= stepSeconds {
			s = merge(was, s)
		}
	}
	return b.Put(slot, s, o)
}

// merge is the sample of two parts.
func merge(a, b Sample) Sample {
	all := uint32(a.Seconds) + uint32(b.Seconds)
	mean := func(x, y uint16) uint16 {
		return uint16((uint32(x)*uint32(a.Seconds) + uint32(y)*uint32(b.Seconds) + all/2) / all)
	}
	return Sample{Mean: mean(a.Mean, b.Mean), Peak: max(a.Peak, b.Peak), Memory: mean(a.Memory, b.Memory), Seconds: uint8(all)}
}

// extendTo returns the place of a slot and extends the block up to it. It is nil if the block
// would get too long.
func (b *Block) extendTo(slot int64) *Sample {
	if len(b.Samples) == 0 {
		b.From = slot
	}
	if max(slot+1, b.End())-min(slot, b.From) > int64(PerWeek) {
		return nil
	}
	if slot < b.From {
		b.Samples = slices.Insert(b.Samples, 0, make([]Sample, b.From-slot)...)
		b.From = slot
	}
	for slot >= b.End() {
		b.Samples = append(b.Samples, Sample{})
	}
	return &b.Samples[slot-b.From]
}

func (b *Block) ownerIndex(o Owner) (uint8, bool) {
	i := slices.Index(b.Owners, o)
	if i < 0 {
		if len(b.Owners) == maxOwners {
			return 0, false
		}
		i = len(b.Owners)
		b.Owners = append(b.Owners, o)
	}
	return uint8(i), true
}
