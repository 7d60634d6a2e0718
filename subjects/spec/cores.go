package spec

import (
	"math"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// Cores are thousandths of a core. A task of a part of a core shares a slot with others whose
// parts fit beside its own.
type Cores uint32

const (
	// Core is a whole one.
	Core Cores = 1000
	// leastCores bounds how many tasks share a slot: each has a shim of its own.
	leastCores = Core / 10
)

// MaxShares is how many tasks share a slot at most.
const MaxShares = int(Core / leastCores)

// Slots is the number of slots that such a task takes a place in.
func (c Cores) Slots() uint32 { return uint32((c + Core - 1) / Core) }

// Part is what the task takes of the last one, in thousandths; 0 for all of it.
func (c Cores) Part() uint32 { return uint32(c % Core) }

// CoresOf is what a task takes in so many slots, of the last of which it takes a part.
func CoresOf(slots, part uint32) Cores {
	if part == 0 {
		return Cores(slots) * Core
	}
	return Cores(max(slots, 1)-1)*Core + Cores(part)
}

// Float is the number of cores.
func (c Cores) Float() float64 { return float64(c) / float64(Core) }

// String is the number as documents have it.
func (c Cores) String() string { return strconv.FormatFloat(c.Float(), 'f', -1, 64) }

// MarshalJSON writes the form that Parse reads.
func (c Cores) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }

// Cores is what a task of the stage takes.
func (s *Stage) Cores() Cores { return CoresOf(s.CPU, s.Part) }

// TakesParts reports whether a task of the job takes a part of a core.
func TakesParts(j *Job) bool {
	return slices.ContainsFunc(j.Stages, func(s Stage) bool { return s.Part > 0 })
}

// HasWall reports whether attempts of the job are bounded by the clock.
func HasWall(j *Job) bool {
	return slices.ContainsFunc(j.Stages, func(s Stage) bool { return s.Wall > 0 })
}

// readCores reads whole cores or parts.
func readCores(to *Cores) func(value) error {
	return func(v value) (err error) {
		*to, err = v.cores()
		return err
	}
}

// cores is a number of cores.
func (v value) cores() (Cores, error) {
	var n float64
	switch node := v.node.(type) {
	case *ast.IntegerNode:
		i, err := v.whole(math.MinInt64, math.MaxInt64)
		if err != nil {
			return 0, err
		}
		n = float64(i)
	case *ast.FloatNode:
		n = node.Value
	case *ast.InfinityNode, *ast.NanNode:
		n = math.NaN()
	default:
		return 0, v.wrong("a number of cores such as 2 or 0.5")
	}
	if !(n >= leastCores.Float() && n <= maxCPU) {
		return 0, v.faultf("%s is out of bounds: give a number of cores from %v to %d", v.node.GetToken().Value, leastCores, maxCPU)
	}
	thousandths := math.Round(n * float64(Core))
	if math.Abs(thousandths-n*float64(Core)) > 1e-6 {
		return 0, v.faultf("%s is too fine: cores are given in thousandths, such as %v", v.node.GetToken().Value, Cores(thousandths))
	}
	return Cores(thousandths), nil
}

func coresForm(*field) *Schema {
	return &Schema{Type: "number", Minimum: limit(leastCores.Float()), Maximum: limit(float64(maxCPU))}
}
