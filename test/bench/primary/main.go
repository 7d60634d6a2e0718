package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func main() {
	if err := run(os.Args[1:], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "primary:", err)
		os.Exit(1)
	}
}

func run(args []string, levels io.Reader) error {
	if len(args) != 1 {
		return fmt.Errorf("use: primary SEED < levels")
	}
	seed, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return fmt.Errorf("seed %q: use a number", args[0])
	}
	var usable unix.CPUSet
	if err := unix.SchedGetaffinity(0, &usable); err != nil {
		return err
	}
	asked, failed, done := new(share), make(chan error, 1), make(chan error, 1)
	for _, core := range cores(&usable) {
		go func() { failed <- serve(core, asked, rand.New(rand.NewPCG(seed, uint64(core)))) }()
	}
	go func() { done <- follow(levels, asked) }()
	select {
	case err = <-failed:
	case err = <-done:
	}
	return err
}

// cores lists what this process may use.
func cores(usable *unix.CPUSet) (list []int) {
	for core := 0; len(list) < usable.Count(); core++ {
		if usable.IsSet(core) {
			list = append(list, core)
		}
	}
	return list
}

// follow takes levels until there are no more.
func follow(levels io.Reader, asked *share) error {
	s := bufio.NewScanner(levels)
	for s.Scan() {
		x, err := strconv.ParseFloat(strings.TrimSpace(s.Text()), 64)
		if err != nil || !(x >= 0 && x <= 1) { // NaN is neither
			return fmt.Errorf("level %q: use a share from 0 to 1", s.Text())
		}
		asked.set(x)
	}
	return s.Err()
}
