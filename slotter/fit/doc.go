// Package fit learns how long a type's tasks take at a given residual: it fits
// TCT(r) = a·e^(b·r) + c·e^(d·r) (MIMP, equation 1) to what finished tasks
// show, and says when that is worth an event.
//
//	window.Add(fit.Sample{Residual: run.Residual, Known: why.Residual, Seconds: run.Seconds})
//	if fit.Due(&window, last) {
//		if result, ok := fit.Fit(window.Samples()); ok {
//			events = append(events, result.Event(name, window.Seen))
//		}
//	}
//
// The four parameters are not searched for together. For fixed rates (b, d)
// the best (a, c) ≥ 0 is known in closed form, so a grid over pairs of rates
// followed by a local refinement finds the optimum that general optimisers
// from random starts miss in up to half of their runs. The sign matters: with
// a, c of either sign two steep terms cancel within the samples and explode
// beside them.
//
// Everything here is pure: same samples in the same order, same model.
package fit
