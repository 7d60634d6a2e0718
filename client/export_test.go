package client

import "lull/actors"

// Hears makes the view read from a channel.
func (v *View) Hears(d <-chan actors.Delivery) { v.deliveries = d }
