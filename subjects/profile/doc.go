// Package profile is what the classifier reports of a tenant: its pattern, average and peak, the
// course of its day, and the greatest usage of past days in short slots. A profile takes about a
// kilobyte, so that it fits into an event.
//
// A reader of profiles needs nothing but this package, and package survival for what a
// profile says of a task. Package learn makes profiles.
//
// Shares of a host's cores stand in one byte each, see Pack: small shares, of which there are
// most, are kept finer than large ones.
//
// The package is pure.
package profile
