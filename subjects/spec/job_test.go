package spec

import "testing"

func TestModelsAreNamedByStageWhereThereAreSeveral(t *testing.T) {
	own := func(names ...string) *Job {
		j := &Job{Name: "nightly", Type: "wc"}
		for _, n := range names {
			j.Stages = append(j.Stages, Stage{Name: n, Publish: n == PublishName})
		}
		return j
	}
	for _, c := range []struct {
		job   *Job
		stage int
		want  string
	}{
		{own("map"), 0, "wc"},
		{own("map", PublishName), 0, "wc"}, // what is published is the same work
		{own("map", PublishName), 1, PublishModel},
		{own("map", "reduce"), 0, "wc:map"},
		{own("map", "reduce"), 1, "wc:reduce"},
		{own("map", "reduce", PublishName), 1, "wc:reduce"},
		{own("map", "reduce", PublishName), 2, PublishModel},
	} {
		if got := c.job.Model(c.stage); got != c.want {
			t.Errorf("stage %d of %d: model %q, want %q", c.stage, len(c.job.Stages), got, c.want)
		}
	}
}
