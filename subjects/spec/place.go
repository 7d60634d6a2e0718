package spec

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// Values of Job.Place.
const (
	PlaceFast   = "fast"   // the job ends early
	PlaceCheap  = "cheap"  // it takes little harvested CPU time
	PlaceSpread = "spread" // one host of each rack in turn
	PlacePack   = "pack"   // one rack after the other
	PlaceOff    = "off"    // any host
)

// Places lists the values of Job.Place.
func Places() []string { return []string{PlaceFast, PlaceCheap, PlaceSpread, PlacePack, PlaceOff} }

// Gives is what a task gives to its readers: bytes for each byte that it reads, or a size. One is 0.
type Gives struct {
	Ratio float64
	Bytes int64
}

// MarshalJSON writes the form that Parse reads.
func (g Gives) MarshalJSON() ([]byte, error) {
	if g.Bytes > 0 {
		return json.Marshal(strconv.FormatInt(g.Bytes, 10) + "B")
	}
	return json.Marshal(g.Ratio)
}

// mostGives bounds what a task gives for a byte.
const mostGives = 1e6

// Moves reports whether a stage reads another's output, publishing aside.
func (j *Job) Moves() bool {
	return slices.ContainsFunc(j.Stages, func(s Stage) bool { return len(s.From) > 0 && !s.Publish })
}

// Placeable reports whether the job's hosts may be chosen by how it moves data.
func (j *Job) Placeable() bool { return j.Place != PlaceOff && j.Moves() }

func (d *Doc) readPlace(v value) (err error) {
	if d.Place, err = v.text(); err == nil && !slices.Contains(Places(), d.Place) {
		err = v.faultf("%q is not known: write fast, cheap, spread, pack or off", d.Place)
	}
	return err
}

func (s *DocStage) readGives(v value) (err error) {
	s.Gives = &Gives{}
	switch n := v.node.(type) {
	case *ast.FloatNode:
		s.Gives.Ratio = n.Value
	case *ast.IntegerNode:
		i, _ := integer(n)
		s.Gives.Ratio = float64(i)
	case *ast.StringNode:
		s.Gives.Bytes, err = v.size()
		return err
	default:
		return v.wrong("a number, such as 0.4, or a size, such as 64MB")
	}
	if !(s.Gives.Ratio > 0 && s.Gives.Ratio <= mostGives) {
		return v.faultf("%s is out of bounds: give the bytes that a task gives for each byte that it reads, above 0", v.node.GetToken().Value)
	}
	return nil
}

func placeForm(*field) *Schema { return &Schema{Type: "string", Enum: Places()} }

func givesForm(f *field) *Schema {
	return &Schema{AnyOf: []*Schema{{Type: "number"}, sizeForm(f)}}
}

// checkPlace checks what the job says of its hosts.
func (j *Job) checkPlace() error {
	if j.Place != "" && !slices.Contains(Places(), j.Place) {
		return faultf("place", "%q is not known: write fast, cheap, spread, pack or off", j.Place)
	}
	for i := range j.Stages {
		if s := &j.Stages[i]; !(s.Gives >= 0 && s.Gives <= mostGives) || s.Yield < 0 || math.IsNaN(s.Gives) {
			return faultf(index("stages", i)+".gives", "it must be a number from 0 to %g, or a size", float64(mostGives))
		}
	}
	return nil
}
