// Package architecture holds tests of the house's own rules: which way imports
// run, and what a pure core may not do. Each failure names the place, the
// thing, and the reason, so that nobody has to ask why.
package architecture
