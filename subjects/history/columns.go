package history

import "slices"

// samples reads the columns.
func (d *decoder) samples(b *Block) {
	n := int(d.number(uint64(PerWeek)))
	b.Samples = slices.Grow(b.Samples[:0], n)[:n]
	clear(b.Samples)
	seconds, observed := runs{decoder: d, most: uint8(stepSeconds)}, 0
	for i := range b.Samples {
		if b.Samples[i].Seconds = seconds.next(n - i); b.Samples[i].Seconds > 0 {
			observed++
		}
	}
	if observed > 0 && len(b.Owners) == 0 {
		d.fail("it has samples and no owner")
	}
	owners, left := runs{decoder: d, most: uint8(max(len(b.Owners), 1) - 1)}, observed
	for i := range b.Samples {
		if s := &b.Samples[i]; s.Seconds > 0 {
			s.Owner = owners.next(left)
			left--
		}
	}
	d.shares(b)
}

// shares reads the columns of thousandths.
func (d *decoder) shares(b *Block) {
	mean, memory := differences{numbers: numbers{decoder: d}}, differences{numbers: numbers{decoder: d}}
	for i := range b.Samples {
		if s := &b.Samples[i]; s.Seconds > 0 {
			s.Mean = mean.next()
		}
	}
	mean.end()
	excess := numbers{decoder: d}
	for i := range b.Samples {
		if s := &b.Samples[i]; s.Seconds > 0 {
			s.Peak = s.Mean + uint16(excess.next(uint64(Unit-s.Mean)))
		}
	}
	excess.end()
	for i := range b.Samples {
		if s := &b.Samples[i]; s.Seconds > 0 {
			s.Memory = memory.next()
		}
	}
	memory.end()
}

// runs reads a column of runs.
type runs struct {
	*decoder
	most, value uint8
	left        int
}

// next returns the next value. left is the number of values that the column still has.
func (r *runs) next(left int) uint8 {
	if r.left == 0 {
		r.left = int(r.number(uint64(left)))
		if r.value = r.byte(); r.left == 0 || r.value > r.most {
			r.fail("a run has length %d and value %d", r.left, r.value)
			r.left, r.value = left, 0
		}
	}
	r.left--
	return r.value
}

// numbers reads a column of numbers.
type numbers struct {
	*decoder
	zeros uint64
}

func (n *numbers) next(most uint64) uint64 {
	if n.zeros > 0 {
		n.zeros--
		return 0
	}
	v := n.number(most)
	if v == 0 {
		n.zeros = n.number(uint64(PerWeek))
	}
	return v
}

// end checks that the column ended with its last sample.
func (n *numbers) end() {
	if n.zeros > 0 {
		n.fail("a column is longer than its samples")
	}
}

// differences reads a column of differences, each to the value before.
type differences struct {
	numbers
	before int
}

func (c *differences) next() uint16 {
	v := c.before + unzigzag(c.numbers.next(2*Unit))
	if v < 0 || v > Unit {
		c.fail("a value is %d thousandths, not 0 to 1000", v)
		v = 0
	}
	c.before = v
	return uint16(v)
}
