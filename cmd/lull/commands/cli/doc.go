// Package cli holds what commands share: how they find and open a pool, how they print, how
// arguments are checked and completed.
package cli
