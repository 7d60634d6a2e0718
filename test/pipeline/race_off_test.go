//go:build !race

package pipeline

const race = false
