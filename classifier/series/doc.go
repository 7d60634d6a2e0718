// Package series has what a tenant used: the average server of the tenant's hosts, as shares of a
// host's cores at even steps of time.
//
//	average, err := series.NewAverage(start, series.Step, samples)
//	for _, sample := range samplesOfTheTenantsHosts {
//		average.Add(sample.From, sample.Lasted, sample.Mean, sample.Peak)
//	}
//	used := average.Series()
//	hours := used.Hours() // what patterns and profiles are made of
//
// A slot in which no host reported is a gap: it holds NaN, never zero. Fill replaces gaps by
// what the tenant used at the same time of other days.
//
// A window is a whole number of days that ends at midnight UTC. Its length has no factor above 7:
// 28 days of two minutes are 20,160 = 2⁶·3²·5·7 samples, in whole weeks. A window of 31 days
// would smear the weekly frequencies over their neighbours, and a Fourier transform of a length
// with a large factor is slow.
//
// The package is pure.
package series
