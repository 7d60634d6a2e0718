package study

import (
	"time"

	"lull/classifier/archive"
	"lull/classifier/classes"
	"lull/classifier/drift"
	"lull/classifier/generation"
	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/subjects/profile"
)

// Known is what the log says before a study.
type Known struct {
	// Profiles are those in force, by tenant.
	Profiles map[string]*profile.Profile
	// Changed are the tenants that were found to have drifted, with the time since when.
	Changed map[string]time.Time
	Names   classes.State
	Options learn.Options
}

// Found is what a study found.
type Found struct {
	generation.Generation
	Names classes.State
}

// Classify learns all tenants of the archive from their last 28 days, and groups them.
func Classify(kept *archive.Archive, now time.Time, known Known, seed uint64) (Found, error) {
	average, err := series.NewAverage(now.UTC().Truncate(series.Day), series.Step, series.Days*int(series.Day/series.Step))
	if err != nil {
		return Found{}, err
	}
	builder := generation.New(known.Options)
	for _, tenant := range kept.Tenants() {
		start, until := known.window(kept, tenant, now)
		average.Reset(start)
		kept.AddTo(average, tenant, start, until)
		builder.Add(tenant, average.Series().Between(start, until), known.last(tenant))
	}
	var found Found
	found.Generation, found.Names = builder.Finish(known.Names, seed)
	for i := range found.Tenants {
		if since := known.since(found.Tenants[i].Name, now); !since.IsZero() {
			found.Tenants[i].Profile.Since = since.Unix()
		}
	}
	return found, nil
}

// window is what a tenant is learnt from: whole days up to the last midnight, at most 28,
// since its first sample or since it changed.
func (k *Known) window(kept *archive.Archive, tenant string, now time.Time) (start, until time.Time) {
	first, _ := kept.First(tenant)
	since := k.since(tenant, now)
	if !since.After(first) {
		return series.Window(first, now)
	}
	if start, until = series.Window(since, now); start.Equal(until) {
		return since, since // nothing is known of it, from then on
	}
	return start, until
}

// since is when the tenant changed, zero if it did not within the longest window. The first sample of a
// tenant that did not change counts anew each time: older ones may be imported.
func (k *Known) since(tenant string, now time.Time) time.Time {
	if since, changed := k.Changed[tenant]; changed {
		return since
	}
	p := k.Profiles[tenant]
	if p == nil || p.Since == 0 || now.Sub(time.Unix(p.Since, 0)) > series.Days*series.Day {
		return time.Time{}
	}
	return time.Unix(p.Since, 0)
}

// last is the profile that a pattern is judged against, nil for a tenant that has changed.
func (k *Known) last(tenant string) *profile.Profile {
	if _, changed := k.Changed[tenant]; changed {
		return nil
	}
	return k.Profiles[tenant]
}

// Drifted returns the tenants with last hours that their profiles do not explain, with the time
// since when.
func Drifted(kept *archive.Archive, now time.Time, profiles map[string]*profile.Profile) (map[string]time.Time, error) {
	until := now.UTC().Truncate(time.Hour)
	start := until.Add(-profile.StrayHours * time.Hour)
	average, err := series.NewAverage(start, series.Step, int(until.Sub(start)/series.Step))
	if err != nil {
		return nil, err
	}
	changed := map[string]time.Time{}
	for _, tenant := range kept.Tenants() {
		p := profiles[tenant]
		if p == nil || p.Until > start.Unix() { // the profile was made of these hours
			continue
		}
		average.Reset(start)
		kept.AddTo(average, tenant, start, until)
		if drift.Look(p, average.Series().Hours()) == drift.Changed {
			changed[tenant] = drift.Since(now)
		}
	}
	return changed, nil
}
