//go:build !race

package simulated

const someTables = 1000
