// Package profile is what the classifier says of a tenant: its pattern, average and peak,
// how its day runs, and the greatest usage of past days in short slots. A profile takes
// about a kilobyte, so that it can stand in an event.
//
// A reader of profiles needs nothing but this package, and package survival for what a
// profile says of a task. Package learn makes profiles.
//
// Shares of a host's cores stand in one byte each, see Pack: small shares, of which there are
// most, are kept finer than large ones.
//
// The package is pure.
package profile
