// Package kmeans groups points by k-means with seeds drawn by k-means++ and several restarts,
// and chooses how many groups there are by their silhouette.
//
//	rng := rand.New(rand.NewPCG(seed, 0))
//	groups := kmeans.Group(points, kmeans.Options{}, rng)
//
// The silhouette of a point compares its distance to its own group with that to the nearest
// other. Distances are those to the groups' centers (the simplified silhouette), so that the
// work grows with the points and not with their square. Of the numbers of groups
// that are about as good, Group takes the smallest. Points that are all alike are one group.
//
// The same points in the same order with the same random source make the same groups. The package is
// pure.
package kmeans
