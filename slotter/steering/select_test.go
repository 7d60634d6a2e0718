package steering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lull/subjects/profile"
)

// class has the same room for all lengths.
func class(name string, p profile.Pattern, cores int) Class {
	return Class{Name: name, Pattern: p, Rooms: Rooms{Whole(cores), Whole(cores), Whole(cores)}}
}

// shares counts how often each class is drawn alone, over many jobs.
func shares(classes []Class, l Length, need Cores) []float64 {
	const jobs = 20_000
	of := make([]float64, len(classes))
	for i := range jobs {
		picked := Select(nil, classes, Job{fmt.Sprint("job-", i), l, need}, Ranked)
		for _, c := range picked {
			of[c] += 1. / float64(jobs*len(picked))
		}
	}
	return of
}

func TestAClassThatSufficesIsDrawnByWeightedHeadroom(t *testing.T) {
	classes := []Class{
		class("constant", profile.Constant, 100), class("periodic", profile.Periodic, 100),
		class("unpredictable", profile.Unpredictable, 100), class("small", profile.Constant, 9),
	}
	for length, want := range map[Length][]float64{
		Long:   {3. / 6, 2. / 6, 1. / 6, 0},
		Medium: {2. / 6, 3. / 6, 1. / 6, 0},
		Short:  {1. / 6, 2. / 6, 3. / 6, 0},
	} {
		for i, got := range shares(classes, length, Whole(10)) {
			if math.Abs(got-want[i]) > 0.015 {
				t.Errorf("%s: %s was drawn for %.3f of the jobs, want %.3f", length, classes[i].Name, got, want[i])
			}
		}
	}
	classes[0].Claimed = Whole(50) // headroom 50 × weight 3 against 100 × 2 and 100 × 1
	if got := shares(classes, Long, Whole(10))[0]; math.Abs(got-150./450) > 0.015 {
		t.Errorf("a class of which half is claimed was drawn for %.3f of the jobs, want %.3f", got, 150./450)
	}
}

func TestSeveralClassesTakeWhatNoneCan(t *testing.T) {
	classes := []Class{class("a", profile.Constant, 6), class("b", profile.Periodic, 6), class("c", profile.Unpredictable, 6)}
	for need, want := range map[int]int{6: 1, 7: 2, 12: 2, 13: 3, 18: 3, 19: 0} {
		if got := Select(nil, classes, Job{"j", Long, Whole(need)}, Ranked); len(got) != want {
			t.Errorf("a job of %d cores runs on classes %v, want %d of three with 6 cores each", need, got, want)
		}
	}
	if got := Select([]int{7}, nil, Job{"j", Long, 1}, Ranked); !slices.Equal(got, []int{7}) {
		t.Errorf("Select(no classes) = %v, want [7] as given", got)
	}
}

// TestSelectionKeepsItsPromises tries random pools.
func TestSelectionKeepsItsPromises(t *testing.T) {
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		classes := make([]Class, rng.IntN(8))
		for i := range classes {
			classes[i] = class(fmt.Sprint(i), profile.Pattern(rng.IntN(3)), rng.IntN(20))
			classes[i].Claimed = Whole(rng.IntN(10))
		}
		job := Job{fmt.Sprint(seed), Length(rng.IntN(lengths)), Whole(1 + rng.IntN(60))}
		got := Select(nil, classes, job, Ranked)
		again := Select(make([]int, 0, 9), classes, job, Ranked)
		if !slices.Equal(got, again) {
			t.Fatalf("seed %d: Select twice = %v, %v, want the same", seed, got, again)
		}
		var all, picked, most Cores
		for i := range classes {
			room := classes[i].Headroom(job.Length)
			all, most = all+room, max(most, room)
			if slices.Contains(got, i) {
				if picked += room; room == 0 {
					t.Errorf("seed %d: class %d was selected with no room, want it left out", seed, i)
				}
			}
		}
		switch {
		case most >= job.Need && (len(got) != 1 || picked < job.Need):
			t.Errorf("seed %d: Select where one class suffices = %v, want one that does", seed, got)
		case all >= job.Need && picked < job.Need:
			t.Errorf("seed %d: Select = %v with %d, want room for %d", seed, got, picked, job.Need)
		case all < job.Need && len(got) > 0:
			t.Errorf("seed %d: Select where no classes suffice = %v, want none", seed, got)
		}
	}
}

// forty classes, as many as a large pool has.
func forty() []Class {
	classes := make([]Class, 40)
	for i := range classes {
		classes[i] = class(fmt.Sprint(i), profile.Pattern(i%3), 50+i)
	}
	return classes
}

func TestASelectionTakesNoMemory(t *testing.T) {
	classes, dst := forty(), make([]int, 0, 40)
	for _, need := range []int{10, 500, 5000} {
		if n := testing.AllocsPerRun(100, func() { Select(dst, classes, Job{"job", Long, Whole(need)}, Ranked) }); n != 0 {
			t.Errorf("Select(%d cores) allocates %v times, want 0", need, n)
		}
	}
}

// BenchmarkSelect: at most 10 µs among forty classes.
func BenchmarkSelect(b *testing.B) {
	for _, need := range []int{10, 500} {
		b.Run(fmt.Sprint(need, " cores"), func(b *testing.B) {
			classes, dst := forty(), make([]int, 0, 40)
			for b.Loop() {
				Select(dst, classes, Job{"job", Long, Whole(need)}, Ranked)
			}
		})
	}
}
