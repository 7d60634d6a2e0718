//go:build race

package simulated

// someTables show the race detector all that runs side by side. Each table takes ten times as long with it.
const someTables = 3
