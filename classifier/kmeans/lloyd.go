package kmeans

import (
	"math"
	"math/rand/v2"
	"slices"
)

// rounds bounds Lloyd's iterations, which converge long before.
const rounds = 100

// seeds draws the first centers: each next point in proportion to the square of its distance
// from those drawn (Arthur and Vassilvitskii, k-means++, 2007). They are fewer than k where no
// point differs from those drawn.
func seeds(points [][]float64, k int, rng *rand.Rand) [][]float64 {
	centers := [][]float64{slices.Clone(points[rng.IntN(len(points))])}
	far := make([]float64, len(points))
	for i := range far {
		far[i] = math.Inf(1)
	}
	for len(centers) < k {
		sum := 0.0
		for i, p := range points {
			far[i] = min(far[i], squared(p, centers[len(centers)-1]))
			sum += far[i]
		}
		if sum <= 0 {
			break
		}
		draw := sum * rng.Float64()
		next := len(points) - 1
		for i, d := range far {
			if draw -= d; draw < 0 {
				next = i
				break
			}
		}
		centers = append(centers, slices.Clone(points[next]))
	}
	return centers
}

// moveCenters moves centers to the means of their points until no point changes its group (Lloyd). A
// center without points is removed.
func moveCenters(points, centers [][]float64) Groups {
	of := make([]int, len(points))
	for i := range of {
		of[i] = -1
	}
	for range rounds {
		if !assignPoints(points, centers, of) {
			break
		}
		centers = means(points, of, len(centers))
	}
	return Groups{Of: of, Centers: centers}
}

// assignPoints gives each point to its nearest center, and reports whether any changed.
func assignPoints(points, centers [][]float64, of []int) (changed bool) {
	for i, p := range points {
		nearest, least := 0, math.Inf(1)
		for c, center := range centers {
			if d := squared(p, center); d < least {
				nearest, least = c, d
			}
		}
		changed = changed || of[i] != nearest
		of[i] = nearest
	}
	return changed
}

// means returns the new centers. It removes groups without points, and renumbers in of those after
// them.
func means(points [][]float64, of []int, k int) [][]float64 {
	sums, sizes := make([][]float64, k), make([]int, k)
	for i, p := range points {
		if sums[of[i]] == nil {
			sums[of[i]] = make([]float64, len(p))
		}
		sizes[of[i]]++
		for d, v := range p {
			sums[of[i]][d] += v
		}
	}
	place, kept := make([]int, k), sums[:0:0]
	for c, sum := range sums {
		place[c] = len(kept)
		if sum == nil {
			continue
		}
		for d := range sum {
			sum[d] /= float64(sizes[c])
		}
		kept = append(kept, sum)
	}
	for i := range of {
		of[i] = place[of[i]]
	}
	return kept
}

// silhouette returns the mean over all points of (b−a)/max(a, b), where a is the distance from
// its own center and b that from the nearest other (Rousseeuw 1987, with centers in place of
// points). A group of one point counts as 0.
func silhouette(points [][]float64, g Groups) float64 {
	if len(g.Centers) < 2 {
		return 0
	}
	sizes := make([]int, len(g.Centers))
	for _, c := range g.Of {
		sizes[c]++
	}
	sum := 0.0
	for i, p := range points {
		if sizes[g.Of[i]] < 2 {
			continue
		}
		own, other := math.Sqrt(squared(p, g.Centers[g.Of[i]])), math.Inf(1)
		for c, center := range g.Centers {
			if c != g.Of[i] {
				other = min(other, math.Sqrt(squared(p, center)))
			}
		}
		if far := max(own, other); far > 0 {
			sum += (other - own) / far
		}
	}
	return sum / float64(len(points))
}
