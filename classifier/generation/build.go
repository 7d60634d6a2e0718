package generation

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"lull/classifier/classes"
	"lull/classifier/kmeans"
	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/subjects/profile"
)

// Tenant is a classified tenant.
type Tenant struct {
	Name    string
	Class   string // "" for a tenant that was observed for less than two days
	Profile profile.Profile
}

// Class is a class with what its members have in common.
type Class struct {
	classes.Class
	Average float64 // of the members' averages
	Peak    float64 // the greatest of the members' peaks
	Profile profile.Profile
	Center  string // the member nearest to the class's center, from which Profile is taken
}

// Generation is all tenants and classes, each sorted by name.
type Generation struct {
	Tenants []Tenant
	Classes []Class
	// Silhouette is how well the groups of each pattern are separated, 0 for one group.
	Silhouette [3]float64
}

// Builder takes in tenants one by one. Of each it keeps only what it needs to form classes.
type Builder struct {
	learner *learn.Learner
	tenants []learnt
}

type learnt struct {
	name  string
	point []float64 // by which kmeans groups it
	learn.Learned
}

// New returns a builder without tenants.
func New(o learn.Options) *Builder { return &Builder{learner: learn.New(o)} }

// Add learns a tenant from a window of whole days. last is the profile in force, nil for none.
// The series is not kept. Add each name only once.
func (b *Builder) Add(name string, s *series.Series, last *profile.Profile) {
	t := learnt{name: name, Learned: b.learner.Learn(s, last)}
	t.point = point(&t.Learned)
	b.tenants = append(b.tenants, t)
}

// Finish groups the tenants into classes, and names the classes. The builder has no tenants afterwards.
func (b *Builder) Finish(last classes.State, seed uint64) (Generation, classes.State) {
	tenants := b.tenants
	b.tenants = nil
	slices.SortFunc(tenants, func(x, y learnt) int { return cmp.Compare(x.name, y.name) })
	var g Generation
	var groups []classes.Group
	var centers [][]float64
	for _, pattern := range profile.Patterns() {
		made, c, silhouette := group(tenants, pattern, seed)
		groups, centers = append(groups, made...), append(centers, c...)
		g.Silhouette[pattern] = silhouette
	}
	named, state := classes.Name(groups, last)
	byName := map[string]*learnt{}
	for i := range tenants {
		byName[tenants[i].name] = &tenants[i]
	}
	of := map[string]string{}
	for i, class := range named {
		for _, m := range class.Members {
			of[m] = class.Name
		}
		g.Classes = append(g.Classes, sumUp(class, centers[i], byName))
	}
	for i := range tenants {
		g.Tenants = append(g.Tenants, Tenant{tenants[i].name, of[tenants[i].name], tenants[i].Profile})
	}
	slices.SortFunc(g.Classes, func(x, y Class) int { return cmp.Compare(x.Name, y.Name) })
	return g, state
}

// group groups the tenants of a pattern. Each pattern has its own stream of random numbers, so that an
// additional tenant in one does not change the groups of the others.
func group(tenants []learnt, pattern profile.Pattern, seed uint64) (groups []classes.Group, centers [][]float64, silhouette float64) {
	var points [][]float64
	var names []string
	for i := range tenants {
		if t := &tenants[i]; t.Profile.Pattern == pattern && len(t.Profile.Hours) > 0 {
			points, names = append(points, t.point), append(names, t.name)
		}
	}
	found := kmeans.Group(points, kmeans.Options{}, rand.New(rand.NewPCG(seed, uint64(pattern))))
	groups = make([]classes.Group, len(found.Centers))
	for i := range groups {
		groups[i].Pattern = pattern
	}
	for i, of := range found.Of {
		groups[of].Members = append(groups[of].Members, names[i])
	}
	return groups, found.Centers, found.Silhouette
}
