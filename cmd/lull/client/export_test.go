package client

import "lull/actors"

// Hears has the view read on from a channel.
func (v *View) Hears(d <-chan actors.Delivery) { v.deliveries = d }
