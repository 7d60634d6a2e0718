// Package tct is the meaning of a completion-time model. It computes how long a task of a type
// takes on a slot with a given residual, and from that how long the rest of a job takes on many
// slots (MIMP, equations 1 to 4 and 6). Admission predicts with it and the slotter decides with it,
// so both must read a model the same way.
//
// A slot's residual R is the share of a core that the primary tenant leaves
// it: 1 on an idle host, 0 for none. A Curve gives seconds at a residual:
//
//	curve := tct.Default(stage.Estimate)      // nothing is known yet
//	curve = tct.Of(fitted)                    // what the type's tasks taught
//	seconds := curve.Seconds(tct.Residual(usage.Idle, busy))
//
//	slots := tct.Gather(residuals)
//	finish := slots.JCT(remaining, curve)     // equation 6, conservative
//
// Residuals count in hundredths and seconds in sixteen significant bits. An exponential may differ
// in its last bit between architectures, and a decision that depends on that bit could not be
// replayed elsewhere.
//
// Everything here is pure and total: no argument makes it panic, and no curve
// gives a time that is not a finite, positive number.
package tct
