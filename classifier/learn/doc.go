// Package learn makes a tenant's profile of its series.
//
//	learner := learn.New(learn.Options{})
//	start, until := series.Window(used.Start, now)
//	learned := learner.Learn(used.Between(start, until), nil)
//	fmt.Println(learned.Profile.Pattern, learned.Profile.Average, learned.Profile.Peak)
//
// # What stands in a profile
//
//	pattern    from the spectrum of the hourly means, see package spectrum
//	average    the mean of the samples
//	peak       their 99.5th percentile, so that one bad sample in a month does not close a
//	           tenant for long jobs; Options.Max takes the greatest, as the paper does
//	hours      the weighted median of the same hour of past days. Yesterday weighs most, a
//	           day loses two thirds of its weight in three days, and the same day of the
//	           week gains a little
//	quantiles  of the samples of each hour
//	miss       how far usage exceeded what the hours expect
//	maxima     the greatest usage in each slot of the last days: what survival is told from
//
// Saturday and Sunday stand apart only where they differ from the other days in each week of
// the window, in the same hours and the same direction.
//
// Below two days of observation the pattern is unpredictable and the peak is 1.
//
// The package is pure.
package learn
