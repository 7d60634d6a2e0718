package slots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// recorded is a Caps of two cores with what it wrote.
func recorded() (*Caps, *[]string, *error) {
	wrote, failure := &[]string{}, new(error)
	return NewCaps(2, func(slot int, cores float64) error {
		*wrote = append(*wrote, fmt.Sprintf("%d:%.2g", slot, cores))
		return *failure
	}), wrote, failure
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestSmallerCapIsInForce(t *testing.T) {
	c, wrote, _ := recorded()
	check(t, c.Pace(0, 0.5), c.Guard(0, 1), c.Guard(0, 0.25), c.Pace(0, 0), c.Guard(0, 7), c.Pace(1, 1.5))
	if want := []string{"0:0.5", "0:0.25", "0:0", "1:1.5"}; !slices.Equal(*wrote, want) {
		t.Errorf("wrote %v, want %v", *wrote, want)
	}
	if got := [3]float64{c.InForce(0), c.InForce(1), c.InForce(2)}; got != [3]float64{2, 1.5, 2} {
		t.Errorf("InForce of slots 0 to 2 = %v, want [2 1.5 2]", got)
	}
}

func TestCapThatCannotBeWrittenIsNotInForce(t *testing.T) {
	c, wrote, failure := recorded()
	*failure = errors.New("no quota here")
	if err := c.Pace(0, 1); err == nil || !strings.Contains(err.Error(), "slot 0: cap of 1.00 cores") {
		t.Errorf("Pace(0, 1) = %v, want an error with the slot and the cap", err)
	}
	if got := c.InForce(0); got < 2 {
		t.Errorf("InForce(0) after a failure = %v, want 2", got)
	}
	*failure = nil
	check(t, c.Pace(0, 1))
	if got := c.InForce(0); got > 1 || len(*wrote) != 2 {
		t.Errorf("InForce(0) = %v after %v, want 1 after two writes", got, *wrote)
	}
}

func TestLiftForgetsAndWritesAnyhow(t *testing.T) {
	c, wrote, _ := recorded()
	check(t, c.Lift(3), c.Guard(3, 1), c.Lift(3), c.Pace(3, math.NaN()))
	if want := []string{"3:0", "3:1", "3:0"}; !slices.Equal(*wrote, want) {
		t.Errorf("wrote %v, want %v", *wrote, want)
	}
}
