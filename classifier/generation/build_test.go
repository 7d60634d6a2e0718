package generation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"lull/classifier/classes"
	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/subjects/profile"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// tenant is a made-up month of one of four kinds.
func tenant(i, days int) *series.Series {
	rng := rand.New(rand.NewPCG(uint64(i), 3))
	s := &series.Series{Start: monday, Step: 5 * time.Minute}
	for at := range 288 * days {
		v := 0.0
		switch i % 4 {
		case 0:
			v = 0.1
		case 1:
			v = 0.6
		case 2:
			v = 0.3 - 0.2*math.Cos(2*math.Pi*float64(at)/288)
		case 3:
			v = 0.05
			if (at/100*7919+i)%13 == 0 {
				v = 0.8
			}
		}
		s.Mean = append(s.Mean, float32(min(max(v+0.01*rng.NormFloat64(), 0), 1)))
	}
	return s
}

func build(order []int, last classes.State, seed uint64) (Generation, classes.State) {
	b := New(learn.Options{})
	for _, i := range order {
		b.Add(fmt.Sprintf("t%02d", i), tenant(i, 28), nil)
	}
	return b.Finish(last, seed)
}

func TestAGeneration(t *testing.T) {
	order := rand.New(rand.NewPCG(1, 1)).Perm(40)
	g, state := build(order, classes.State{}, 1)
	want := []profile.Pattern{profile.Constant, profile.Constant, profile.Periodic, profile.Unpredictable}
	of := map[string]string{}
	for i, tenant := range g.Tenants {
		of[tenant.Name] = tenant.Class
		if tenant.Name != fmt.Sprintf("t%02d", i) || tenant.Profile.Pattern != want[i%4] {
			t.Errorf("place %d: %s, %v, want %v", i, tenant.Name, tenant.Profile.Pattern, want[i%4])
		}
	}
	if of["t00"] == of["t01"] || of["t00"] != of["t04"] || of["t00"] == "" {
		t.Errorf("classes = %v, want t00 and t04 in one, t01 in another", of)
	}
	for _, c := range g.Classes {
		if c.Peak < c.Average || len(c.Members) == 0 || c.Profile.Pattern != c.Pattern || c.Profile.Peak != c.Peak {
			t.Errorf("class %+v, want members, their pattern, and a peak of at least the average", c)
		}
		if c.Name == of["t01"] && math.Abs(c.Average-0.6) > 0.01 {
			t.Errorf("average of the class at 0.6 = %v, want 0.6", c.Average)
		}
	}
	again, same := build(order, state, 99)
	for i, tenant := range again.Tenants {
		if tenant.Class != g.Tenants[i].Class {
			t.Errorf("class of %s with another seed the next day = %s, want %s", tenant.Name, tenant.Class, g.Tenants[i].Class)
		}
	}
	if same.Named != state.Named {
		t.Errorf("names given = %d, want %d as before", same.Named, state.Named)
	}
}

func TestTheOrderOfTenantsDoesNotMatter(t *testing.T) {
	one, _ := build([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, classes.State{}, 4)
	other, _ := build([]int{8, 3, 5, 1, 0, 7, 2, 6, 4}, classes.State{}, 4)
	if !reflect.DeepEqual(one, other) {
		t.Errorf("generation in another order = %+v, want %+v", other, one)
	}
}

func TestANewTenantHasNoClass(t *testing.T) {
	b := New(learn.Options{})
	b.Add("new", tenant(0, 1), nil)
	b.Add("old", tenant(0, 28), nil)
	g, _ := b.Finish(classes.State{}, 1)
	if len(g.Tenants) != 2 || g.Tenants[0].Class != "" || g.Tenants[0].Profile.Peak != 1 || g.Tenants[1].Class != "constant-1" {
		t.Errorf("tenants = %+v, want the first in no class with a peak of 1, the second in constant-1", g.Tenants)
	}
	if g, _ := b.Finish(classes.State{}, 1); len(g.Tenants) != 0 {
		t.Errorf("tenants of a finished builder = %+v, want none", g.Tenants)
	}
}
