//go:build race

package chaos

// someSeeds are enough for the race detector, which makes each ten times slower.
const someSeeds = 20
