package spec

import "maps"

// readDefaults reads what all stages have in common.
func (d *Doc) readDefaults(v value) error {
	d.defaults = new(DocStage)
	return v.fields(d.defaults.shared()...)
}

// shared are the fields that stages may have in common.
func (s *DocStage) shared() []field {
	return append([]field{s.envField(), s.envFileField(), s.dirField(), shellField(&s.shell, ofStage)}, s.limits()...)
}

// inherit gives each stage the defaults that it does not set itself. What is sent is the
// document with the defaults in its stages.
func (d *Doc) inherit() {
	if d.defaults == nil {
		return
	}
	for i := range d.Stages {
		d.Stages[i].inherit(d.defaults)
	}
}

func (s *DocStage) inherit(from *DocStage) {
	s.Env, s.Where = union(from.Env, s.Env), union(from.Where, s.Where)
	if s.OnExit == nil {
		s.OnExit = from.OnExit
	}
	if s.EnvFile == nil {
		s.EnvFile = from.EnvFile
	}
	s.Dir = either(s.Dir, from.Dir)
	s.CPU, s.Memory = either(s.CPU, from.CPU), either(s.Memory, from.Memory)
	s.Backoff, s.Timeout = either(s.Backoff, from.Backoff), either(s.Timeout, from.Timeout)
	s.Wall = either(s.Wall, from.Wall)
	s.Grace, s.Warn = either(s.Grace, from.Grace), either(s.Warn, from.Warn)
	s.Estimate, s.Retries = either(s.Estimate, from.Estimate), either(s.Retries, from.Retries)
	s.MaxFailures, s.FailFast = either(s.MaxFailures, from.MaxFailures), either(s.FailFast, from.FailFast)
	s.AllowFailure = either(s.AllowFailure, from.AllowFailure)
}

// either is the first value that is set.
func either[T comparable](own, inherited T) T {
	var none T
	if own != none {
		return own
	}
	return inherited
}

// union is all of both, with the second's values for names that both have.
func union(inherited, own map[string]string) map[string]string {
	if len(inherited) == 0 {
		return own
	}
	all := maps.Clone(inherited)
	maps.Copy(all, own)
	return all
}
