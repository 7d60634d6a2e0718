package search

import (
	"math/rand/v2"
	"slices"

	"lull/placer/predict"
	"lull/placer/shelf"
)

// GeneticOptions are what the paper leaves open, and a seed.
type GeneticOptions struct {
	Seed        uint64
	Evaluations int
	Population  int     // 0 means 10
	Offspring   float64 // new candidates a generation, as a part of the population; 0 means 1
	Weak        float64 // part of the survivors that is drawn from the weak; 0 means a tenth
}

// gene is a candidate as a bit string: which of the usable hosts it has.
type gene struct {
	bits   []bool
	result predict.Result
}

// genetic is TARA's search (section 2.2): bit strings of n with r ones; mutation, swap or crossover
// at random; mostly the fitter survive, and a few weak ones.
type genetic struct {
	GeneticOptions
	problem   Problem
	rng       *rand.Rand
	predictor *predict.Predictor
	usable    []int
	ones      int
	best      Answer
	hosts     []int
	spare     [][]bool
}

// Genetic searches as TARA does, from random candidates.
func Genetic(problem Problem, options GeneticOptions) (Answer, error) {
	predictor, err := predict.New(problem.App, problem.Snapshot)
	if err != nil {
		return Answer{}, err
	}
	if options.Population == 0 {
		options.Population = 10
	}
	if options.Offspring == 0 {
		options.Offspring = 1
	}
	if options.Weak == 0 {
		options.Weak = 0.1
	}
	g := &genetic{GeneticOptions: options, problem: problem, rng: rand.New(rand.NewPCG(options.Seed, 0)), predictor: predictor, usable: shelf.Usable(problem.Snapshot)}
	slices.Sort(g.usable)
	g.ones = min(problem.Hosts, len(g.usable))
	g.evolve()
	return g.best, nil
}

func (g *genetic) evolve() {
	var population []gene
	for len(population) < g.Population && g.best.Evaluations < g.Evaluations {
		population = append(population, g.evaluate(g.randomBits()))
	}
	children := max(int(g.Offspring*float64(g.Population)+0.5), 1)
	for g.best.Evaluations < g.Evaluations {
		parents := len(population)
		for range min(children, g.Evaluations-g.best.Evaluations) {
			population = append(population, g.evaluate(g.child(population[:parents])))
		}
		population = g.survivors(population)
	}
}

// evaluate predicts a candidate, and keeps it as the answer if it is the best so far.
func (g *genetic) evaluate(bits []bool) gene {
	g.hosts = g.hosts[:0]
	for i, chosen := range bits {
		if chosen {
			g.hosts = append(g.hosts, g.usable[i])
		}
	}
	r := g.predictor.Predict(g.hosts)
	g.best.note(g.problem.Objective, g.hosts, r)
	return gene{bits, r}
}

// randomBits returns a candidate of random hosts.
func (g *genetic) randomBits() []bool {
	bits := make([]bool, len(g.usable))
	for _, i := range g.rng.Perm(len(bits))[:g.ones] {
		bits[i] = true
	}
	return bits
}

// child makes a candidate of one or two others.
func (g *genetic) child(parents []gene) []bool {
	bits := g.copyOf(parents[g.rng.IntN(len(parents))].bits)
	switch g.rng.IntN(3) {
	case 0:
		g.mutate(bits)
	case 1:
		g.swap(bits)
	default:
		g.cross(bits, parents[g.rng.IntN(len(parents))].bits)
	}
	g.repair(bits)
	return bits
}

func (g *genetic) copyOf(bits []bool) []bool {
	if n := len(g.spare); n > 0 {
		free := g.spare[n-1]
		g.spare = g.spare[:n-1]
		copy(free, bits)
		return free
	}
	return slices.Clone(bits)
}

// mutate flips bits at random, one in a hundred on average.
func (g *genetic) mutate(bits []bool) {
	for range 1 + g.rng.IntN(1+len(bits)/50) {
		i := g.rng.IntN(len(bits))
		bits[i] = !bits[i]
	}
}

// swap exchanges two stretches of the string.
func (g *genetic) swap(bits []bool) {
	n := 1 + g.rng.IntN(max(len(bits)/20, 1))
	a, b := g.rng.IntN(len(bits)-n+1), g.rng.IntN(len(bits)-n+1)
	for i := range n {
		bits[a+i], bits[b+i] = bits[b+i], bits[a+i]
	}
}

// cross takes a stretch of another parent.
func (g *genetic) cross(bits, other []bool) {
	a, b := g.rng.IntN(len(bits)+1), g.rng.IntN(len(bits)+1)
	copy(bits[min(a, b):max(a, b)], other[min(a, b):max(a, b)])
}

// repair flips random bits until as many hosts are chosen as are asked for.
func (g *genetic) repair(bits []bool) {
	n := 0
	for _, b := range bits {
		if b {
			n++
		}
	}
	for n != g.ones {
		if i := g.rng.IntN(len(bits)); bits[i] == (n > g.ones) {
			bits[i] = !bits[i]
			if bits[i] {
				n++
			} else {
				n--
			}
		}
	}
}

// survivors returns the fittest candidates and, in the last places, a few drawn from the others.
func (g *genetic) survivors(population []gene) []gene {
	slices.SortStableFunc(population, func(a, b gene) int {
		switch {
		case g.problem.Objective.Better(a.result, b.result):
			return -1
		case g.problem.Objective.Better(b.result, a.result):
			return 1
		}
		return 0
	})
	n := min(g.Population, len(population))
	weak := min(int(g.Weak*float64(n)+0.5), len(population)-n)
	for i := n - weak; i < n; i++ {
		j := i + g.rng.IntN(len(population)-i)
		population[i], population[j] = population[j], population[i]
	}
	for _, left := range population[n:] {
		g.spare = append(g.spare, left.bits)
	}
	return population[:n]
}
