package study

import (
	"time"

	"lull/classifier/archive"
	"lull/classifier/classes"
	"lull/classifier/drift"
	"lull/classifier/generation"
	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/classifier/tenure"
	"lull/subjects/profile"
)

// Known is what is known before a study, from the log and the configuration.
type Known struct {
	// Profiles are those in force, by tenant.
	Profiles map[string]*profile.Profile
	// Changed are the tenants that were found to have drifted, each with the time of the change.
	Changed map[string]time.Time
	// Hosts are the tenants that each host had: see tenure.Hosts.
	Hosts map[string]tenure.Spans
	// Names are those of the classes of the last generation.
	Names   classes.State
	Options learn.Options
}

// Found is what a study found. Names are to be passed to the next one.
type Found struct {
	generation.Generation
	Names classes.State
}

// Classify learns the profile of every tenant of the archive from its last 28 days, and groups the
// tenants into classes.
func Classify(kept *archive.Archive, now time.Time, known Known, seed uint64) (Found, error) {
	average, err := series.NewAverage(now.UTC().Truncate(series.Day), series.Step, series.Days*int(series.Day/series.Step))
	if err != nil {
		return Found{}, err
	}
	kept.Assign(known.Hosts)
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

// window returns the time from which a tenant is learnt: whole days up to the last midnight, at most
// 28, since its first sample or since it changed.
func (k *Known) window(kept *archive.Archive, tenant string, now time.Time) (start, until time.Time) {
	first, _ := kept.First(tenant)
	since := k.since(tenant, now)
	if !since.After(first) {
		return series.Window(first, now)
	}
	if start, until = series.Window(since, now); start.Equal(until) {
		return since, since // there is no whole day since the change
	}
	return start, until
}

// since returns when the tenant changed, zero if it did not within the longest window. For a tenant that
// did not change, it does not remember the first sample, because older ones may be imported.
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

// last returns the profile to compare a new pattern with: the one in force, nil for a tenant that has
// changed.
func (k *Known) last(tenant string) *profile.Profile {
	if _, changed := k.Changed[tenant]; changed {
		return nil
	}
	return k.Profiles[tenant]
}

// Drifted returns the tenants whose usage in the last profile.StrayHours hours does not fit their
// profiles, each with the time of the change.
func Drifted(kept *archive.Archive, now time.Time, known Known) (map[string]time.Time, error) {
	until := now.UTC().Truncate(time.Hour)
	start := until.Add(-profile.StrayHours * time.Hour)
	average, err := series.NewAverage(start, series.Step, int(until.Sub(start)/series.Step))
	if err != nil {
		return nil, err
	}
	kept.Assign(known.Hosts)
	changed := map[string]time.Time{}
	for _, tenant := range kept.Tenants() {
		p := known.Profiles[tenant]
		if p == nil || p.Until > start.Unix() { // the profile was learnt from some of these hours
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
