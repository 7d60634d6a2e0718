//go:build !race

package main

// scripts are those to run: all.
var scripts []string
