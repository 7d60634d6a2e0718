// Package fit learns how long the tasks of a model take at a given residual. It fits TCT(r) =
// a·e^(b·r) + c·e^(d·r) (MIMP, equation 1) to finished tasks, and decides when the result is
// worth an event.
//
//	window.Add(fit.Sample{Residual: run.Residual, Known: why.Residual, Seconds: run.Seconds})
//	if fit.Due(&window, last, curve, whole) {
//		if result, ok := fit.Refit(&window, last); ok {
//			events = append(events, result.Event(name, window.Seen))
//		}
//	}
//
// The four parameters are not searched for together. For fixed rates (b, d) the best (a, c) ≥ 0
// is known in closed form. So a grid over pairs of rates, followed by a local refinement, finds the
// optimum. General optimisers from random starts miss it in up to half of their runs. The sign
// matters: with a, c of either sign two steep terms cancel within the samples and explode beside
// them.
//
// Around the fit:
//
//	input size   the time of s bytes is Fixed + (1−Fixed)·s/Size of the model's;
//	             Fixed is learnt once the sizes seen differ, and 0 before
//	outliers     count little (Tukey's biweight)
//	age          a sample counts half after 128 others, and never less than 1/16
//	change       when the latest 16 lean to one side, or go astray, the model is
//	             that of the last 64, 32 or 16 samples
//	drift        when the latest 32 follow no model, an alarm: work conserved, from
//	             a time that covers nine in ten of them, until they follow one
//	quality      is that of the predictions which were made before the tasks ran,
//	             each by the model of its time; until there are five of them, that
//	             of the model on its own samples, at the residual known before
//
// Everything here is pure: same samples in the same order, same model.
package fit
