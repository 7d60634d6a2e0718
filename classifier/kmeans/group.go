package kmeans

import (
	"math"
	"math/rand/v2"
)

// Options bound the search. Zero fields have the defaults named.
type Options struct {
	Most     int     // greatest number of groups, 8 by default, and no more than a fifth of the points
	Restarts int     // searches for each number of groups, 4 by default
	Sample   int     // most points on which the number of groups is chosen, 1,000 by default
	Least    float64 // silhouette below which all points are one group, 0.5 by default
}

func (o Options) filled() Options {
	if o.Most <= 0 {
		o.Most = 8
	}
	if o.Restarts <= 0 {
		o.Restarts = 4
	}
	if o.Sample <= 0 {
		o.Sample = 1000
	}
	if o.Least == 0 {
		o.Least = 0.5
	}
	return o
}

// Groups is a grouping of points.
type Groups struct {
	Of         []int       // the group of each point
	Centers    [][]float64 // in the order of their first point
	Silhouette float64     // how well the groups are separated; 0 for one group
}

// minMembers is the least average number of points in a group: fewer may be alike by chance.
const minMembers = 5

// tolerance is by how much the silhouette of a smaller number of groups may be below the best one.
// Group chooses the smallest such number.
const tolerance = 0.02

// Group groups points of equal length, by a number of groups that it chooses. Without points it
// returns no groups.
func Group(points [][]float64, o Options, rng *rand.Rand) Groups {
	if len(points) == 0 {
		return Groups{}
	}
	o = o.filled()
	sample := samplePoints(points, o.Sample, rng)
	candidates := []Groups{bestOf(sample, 1, 1, rng)}
	top := 0.0
	for k := 2; k <= min(o.Most, len(sample)/minMembers); k++ {
		g := bestOf(sample, k, o.Restarts, rng)
		if len(g.Centers) < k {
			break // fewer than k points differ
		}
		candidates = append(candidates, g)
		top = max(top, g.Silhouette)
	}
	chosen := candidates[0]
	for _, g := range candidates[1:] {
		if top >= o.Least && g.Silhouette >= top-tolerance {
			chosen = g
			break
		}
	}
	if len(sample) == len(points) {
		return chosen.ordered()
	}
	g := moveCenters(points, chosen.Centers)
	g.Silhouette = silhouette(points, g)
	return g.ordered()
}

// samplePoints returns all points, or most of them drawn at random without replacement if there are
// more.
func samplePoints(points [][]float64, most int, rng *rand.Rand) [][]float64 {
	if len(points) <= most {
		return points
	}
	order := rng.Perm(len(points))[:most]
	drawn := make([][]float64, most)
	for i, at := range order {
		drawn[i] = points[at]
	}
	return drawn
}

// bestOf returns the best of several groupings into k groups, which begin with different random
// centers. The best one has the least sum of squared distances.
func bestOf(points [][]float64, k, starts int, rng *rand.Rand) Groups {
	var best Groups
	least := math.Inf(1)
	for range starts {
		g := moveCenters(points, seeds(points, k, rng))
		if sum := g.squares(points); sum < least {
			best, least = g, sum
		}
	}
	best.Silhouette = silhouette(points, best)
	return best
}

// ordered numbers the groups by their first point, so that the numbers do not depend on the seed.
func (g Groups) ordered() Groups {
	place := make([]int, len(g.Centers))
	for i := range place {
		place[i] = -1
	}
	centers := make([][]float64, 0, len(g.Centers))
	of := make([]int, len(g.Of))
	for i, group := range g.Of {
		if place[group] < 0 {
			place[group] = len(centers)
			centers = append(centers, g.Centers[group])
		}
		of[i] = place[group]
	}
	return Groups{Of: of, Centers: centers, Silhouette: g.Silhouette}
}

// squares is the sum of the squared distances of the points from their centers.
func (g Groups) squares(points [][]float64) (sum float64) {
	for i, p := range points {
		sum += squared(p, g.Centers[g.Of[i]])
	}
	return sum
}

// squared returns the squared distance of two points.
func squared(a, b []float64) (sum float64) {
	for i := range a {
		d := a[i] - b[i]
		sum += d * d
	}
	return sum
}
