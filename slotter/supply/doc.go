// Package supply measures what a pool offers to batch work: the slots and idle cores of all hosts
// (Supply), what one host offers now (Offer) and usually (Outlook), and what slots are worth to the
// tasks of a completion-time curve (Worth).
//
// Residuals are counted in steps of a hundredth (tct.Step), so that sums are whole numbers and do
// not depend on the order in which hosts were counted.
//
// The package is pure: time is an argument.
package supply
