//go:build race

package main

// scripts show the race detector a pool that begins, is used, interrupted and ended. All others take twice as long with it,
// and meet the same goroutines.
var scripts = []string{"testdata/script/up.txt", "testdata/script/stay.txt", "testdata/script/interrupt.txt", "testdata/script/hosts.txt"}
