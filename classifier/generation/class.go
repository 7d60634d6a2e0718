package generation

import (
	"math"

	"lull/classifier/classes"
	"lull/classifier/learn"
)

// point is where a tenant stands among those of its pattern: the roots of its average and of
// the amplitudes of its frequency profile. The roots keep one tenant with great amplitudes
// from being a class of its own while all others are one.
func point(l *learn.Learned) []float64 {
	p := make([]float64, 0, 1+len(l.Shape.Bands))
	p = append(p, math.Sqrt(l.Profile.Average))
	for _, amplitude := range l.Shape.Bands {
		p = append(p, math.Sqrt(amplitude))
	}
	return p
}

// sumUp is what the members of a class have in common.
func sumUp(class classes.Class, center []float64, tenants map[string]*learnt) Class {
	c := Class{Class: class}
	nearest := math.Inf(1)
	for _, name := range class.Members {
		t := tenants[name]
		c.Average += t.Profile.Average / float64(len(class.Members))
		c.Peak = max(c.Peak, t.Profile.Peak)
		far := 0.0
		for i, v := range t.point {
			far += (v - center[i]) * (v - center[i])
		}
		if far < nearest {
			nearest, c.Profile, c.Center = far, t.Profile, name
		}
	}
	c.Profile.Average, c.Profile.Peak = c.Average, c.Peak
	return c
}
