package cgroup

import (
	"fmt"
	"os"
	"testing"
)

// What a controller pays to turn each knob once, on this kernel:
//
//	go test -run - -bench . ./hostctl/cgroup
func BenchmarkKnobs(b *testing.B) {
	if os.Getuid() != 0 {
		b.Skip("needs root, to make cgroups")
	}
	caps, err := Detect("/")
	if err != nil {
		b.Fatal(err)
	}
	tree, err := Open(caps, fmt.Sprintf("bench-%d", os.Getpid()))
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Remove(b.Context()) //nolint:errcheck // nothing ran in it
	slot, err := tree.Slot(0)
	if err != nil {
		b.Fatal(err)
	}
	for _, knob := range []struct {
		name string
		turn func(i int) error
	}{
		{"SetCap", func(i int) error { return slot.SetCap(0.1 + float64(i%8)/10) }},
		{"Throttled", func(int) error { _, err := slot.Throttled(); return err }},
		{"SetCores", func(i int) error { return tree.SetCores(1 + i%caps.CPUs) }},
		{"SetIdle", func(int) error { return tree.SetIdle(true) }},
		{"Usage", func(int) error { _, _, err := slot.Usage(); return err }},
	} {
		b.Run(knob.name, func(b *testing.B) {
			for i := range b.N {
				if err := knob.turn(i); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
