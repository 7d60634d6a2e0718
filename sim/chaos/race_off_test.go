//go:build !race

package chaos

const someSeeds = 200
