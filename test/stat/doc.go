// Package stat says how sure an experiment's figures are: means with their
// 95 % intervals, and differences between two ways of doing the same thing.
//
// Two policies that meet the same arrivals, loads and task times (common random numbers) are
// compared seed by seed. What a hard seed costs both of them cancels, so that the difference is
// known far better than either figure.
//
//	gain := stat.Ratio(mp, edf)                   // mp[i], edf[i]: seed i
//	fmt.Printf("%+.1f %% (%+.1f to %+.1f)", 100*gain.Mean, 100*gain.Low, 100*gain.High)
package stat
