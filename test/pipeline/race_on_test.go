//go:build race

package pipeline

const race = true
