// Package conformance is one suite over every actors.Bus and the shell on it. It covers what a
// service relies on, and what a simulated bus must imitate.
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, func(t *testing.T) conformance.Fixture { … })
//	}
package conformance
