package kmeans

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// blobs are points around centers far from each other, in turn.
func blobs(n, k int, spread float64) [][]float64 {
	rng := source(9)
	points := make([][]float64, n)
	for i := range points {
		c := float64(i % k)
		points[i] = []float64{10*c + spread*rng.NormFloat64(), 5*c*c + spread*rng.NormFloat64()}
	}
	return points
}

func TestBlobsAreFoundWithTheirNumber(t *testing.T) {
	for k := 2; k <= 6; k++ {
		for _, n := range []int{60, 3000} {
			g := Group(blobs(n, k, 0.5), Options{}, source(1))
			if len(g.Centers) != k || g.Silhouette < 0.8 {
				t.Errorf("%d points in %d blobs: %d groups, silhouette %.2f, want a group a blob and at least 0.8", n, k, len(g.Centers), g.Silhouette)
				continue
			}
			for i, of := range g.Of {
				if of != i%k { // groups are numbered by their first point
					t.Errorf("%d blobs: point %d is in group %d, want %d", k, i, of, i%k)
					break
				}
			}
		}
	}
}

func TestOneCloudIsOneGroup(t *testing.T) {
	same := make([][]float64, 20)
	for i := range same {
		same[i] = []float64{1, 2}
	}
	for name, points := range map[string][][]float64{"alike": same, "one": {{3, 4}}, "two": {{1, 1}, {2, 2}}} {
		if g := Group(points, Options{}, source(1)); len(g.Centers) != 1 || len(g.Of) != len(points) {
			t.Errorf("Group(%s) = %+v, want one group of all points", name, g)
		}
	}
	if g := Group(nil, Options{}, source(1)); len(g.Centers) != 0 || len(g.Of) != 0 {
		t.Errorf("Group(nil) = %+v, want none", g)
	}
}

func TestTheSameSeedMakesTheSameGroups(t *testing.T) {
	points := blobs(2500, 5, 3)
	first := Group(points, Options{}, source(7))
	if again := Group(points, Options{}, source(7)); !reflect.DeepEqual(first, again) {
		t.Errorf("Group with the same points and seed = %+v, want %+v", again, first)
	}
}

// The twin tries every grouping of few points.
func TestTheSumOfSquaresIsTheLeastThereIs(t *testing.T) {
	rng := source(3)
	for range 30 {
		points := make([][]float64, 8)
		for i := range points {
			points[i] = []float64{rng.Float64(), rng.Float64()}
		}
		for k := 2; k <= 3; k++ {
			got := bestOf(points, k, 50, rng).squares(points)
			if want := exhaustive(points, k); got > want*1.0001 {
				t.Errorf("%d groups: %v, there is a grouping with %v", k, got, want)
			}
		}
	}
}

func exhaustive(points [][]float64, k int) float64 {
	least := math.Inf(1)
	of := make([]int, len(points))
	for {
		g := Groups{Of: append([]int{}, of...)}
		g.Centers = means(points, g.Of, k)
		least = min(least, g.squares(points))
		at := 0
		for ; at < len(of); at++ {
			if of[at]++; of[at] < k {
				break
			}
			of[at] = 0
		}
		if at == len(of) {
			return least
		}
	}
}

func ExampleGroup() {
	var points [][]float64
	for i := range 5 {
		points = append(points, []float64{0.1 + float64(i)/100}, []float64{0.9 - float64(i)/100})
	}
	groups := Group(points, Options{}, rand.New(rand.NewPCG(1, 0)))
	fmt.Println(groups.Of)
	// Output: [0 1 0 1 0 1 0 1 0 1]
}
