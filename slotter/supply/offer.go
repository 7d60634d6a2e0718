package supply

import "lull/subjects/tct"

// Offer is what a host adds to the supply. The zero value is that of a host which takes no
// tasks.
type Offer struct {
	slots, step int // how many batch could fill, and their residual step then
	whole, part int // idle cores, and the step of what is left of another one
}

// OfferOf is the offer of a host with so many idle cores and slots.
func OfferOf(idle float64, slots int) (o Offer) {
	filled, residual := tct.Fill(idle, slots)
	o.slots, o.step = filled, tct.Step(residual)
	o.whole = min(filled, int(idle))
	if o.whole < filled {
		o.part = tct.Step(idle - float64(o.whole))
	}
	return o
}
