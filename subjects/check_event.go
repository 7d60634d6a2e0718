package subjects

import "errors"

func (e *Submitted) check() error {
	if err := e.Spec.Validate(); err != nil {
		return err
	}
	return within(count("at", e.At), count("deadline", e.Deadline))
}

func (e *Admitted) check() error {
	if err := within(span("slack", e.Slack), bound{"margin", e.Margin, 0, maxMargin}, amount("service", e.Service)); err != nil {
		return err
	}
	if err := atMost("the number of pushed jobs", len(e.Pushed), maxPushes); err != nil {
		return err
	}
	for _, p := range e.Pushed {
		if err := atMost("the length of a pushed job's id", len(p.Job), maxToken); err != nil {
			return err
		}
		if err := within(span("pushed by", p.By), span("pushed slack", p.Slack)); err != nil {
			return err
		}
	}
	return nil
}

func (e *Steered) check() error {
	if err := errors.Join(within(amount("last", e.Last), count("need", e.Need)), atMost("the number of classes", len(e.Classes), MaxClasses),
		atMost("the length of the words", len(e.Length)+len(e.Anew), maxToken)); err != nil {
		return err
	}
	for i := range e.Classes {
		if err := errors.Join(CheckToken("class", e.Classes[i].Name), within(count("headroom", e.Classes[i].Headroom))); err != nil {
			return err
		}
	}
	return nil
}

func (e *Endangered) check() error { return within(span("slack", e.Slack)) }

func (e *JobFinished) check() error { return e.Totals.check() }
func (e *JobFailed) check() error   { return e.Totals.check() }

func (t *Totals) check() error {
	return within(amount("cpu", t.CPU), amount("seconds", t.Seconds))
}

// check keeps out what would make predictions infinite: A·e^(B·r) overflows
// beyond an exponent of 709.
func (e *Fitted) check() error {
	return within(
		factor("a", e.A), bound{"b", e.B, -700, 700}, factor("c", e.C), bound{"d", e.D, -700, 700},
		amount("nrmse", e.NRMSE), share("over", e.Over), share("under", e.Under),
		share("low", e.Low), share("high", e.High),
		amount("over_by", e.OverBy), amount("under_by", e.UnderBy), amount("fast", e.Fast), amount("slow", e.Slow),
		amount("size", e.Size), share("fixed", e.Fixed), amount("least", e.Least), amount("most", e.Most),
		amount("read90", e.Read90), amount("gives", e.Gives), amount("yield", e.Yield), amount("fetch", e.Fetch))
}

func (e *Joined) check() error {
	return errors.Join(
		atMost("cores", e.Cores, MaxCores),
		atMost("slots", e.Slots, MaxSlots),
		atMost("ahead", e.Ahead, MaxSlots),
		atMost("reserve_cpu", e.ReserveCPU, MaxCores),
		atMost("the number of labels", len(e.Labels), maxLabels),
		atMost("the length of the labels", lengths(e.Labels), maxLabel),
		atMost("the length of the instance, the boot id, the address, the token, the machine and the task user",
			len(e.Instance)+len(e.Boot)+len(e.URL)+len(e.Token)+len(e.Machine)+len(e.TaskUser), maxIdentity),
		checkTenant(e.Tenant),
		within(count("memory", e.Memory), count("reserve_memory", e.ReserveMemory), amount("nic", e.NIC)))
}

func (e *Classified) check() error {
	return errors.Join(checkTenant(e.Tenant), e.Profile.Check(),
		atMost("the length of the class", len(e.Class), maxToken), atMost("the length of the reason", len(e.Why), maxToken))
}

// Bounds of a list of tenants, so that it fits one message.
const (
	maxOwnedHosts = 20_000
	maxOwnedNames = 700_000 // bytes
)

func (e *Owned) check() error {
	hosts, bytes := 0, 0
	var errs []error
	for i := range e.Tenants {
		t := &e.Tenants[i]
		errs = append(errs, CheckTenant(t.Tenant))
		for _, host := range t.Hosts {
			errs = append(errs, CheckToken("host", host))
		}
		hosts, bytes = hosts+len(t.Hosts), bytes+len(t.Tenant)+lengths(t.Hosts)
	}
	return errors.Join(errors.Join(errs...), atMost("the number of tenants", len(e.Tenants), maxOwnedHosts),
		atMost("the number of hosts with a tenant", hosts, maxOwnedHosts), atMost("the length of the names of tenants and hosts", bytes, maxOwnedNames))
}

// MaxClasses bounds the classes of a pool.
const MaxClasses = 1000

func (e *PoolClassified) check() error {
	if err := errors.Join(atMost("the number of classes", len(e.Classes), MaxClasses), within(count("at", e.At)),
		atMost("the length of the reason and the request", len(e.Why)+len(e.Asked), 2*maxToken)); err != nil {
		return err
	}
	for _, c := range e.Classes {
		if err := errors.Join(within(share("average", c.Average), share("peak", c.Peak)), CheckToken("class", c.Name), checkTenant(c.Center), c.Pattern.Check()); err != nil {
			return err
		}
	}
	return nil
}

func lengths(list []string) (n int) {
	for _, text := range list {
		n += len(text)
	}
	return n
}

func (e *Led) check() error {
	return atMost("the length of the instance", len(e.Instance), maxIdentity)
}

// checkTenant accepts names that tables can show and ledgers can keep.
func checkTenant(name string) error {
	if name == "" {
		return nil
	}
	return CheckToken("tenant", name)
}

func (e *Lost) check() error { return within(bound{"silence", e.Silence, 0, maxSeconds}) }

func (e *Assigned) check() error {
	if e.Width == 0 {
		return errors.New("width is 0: a task takes at least one slot")
	}
	return errors.Join(
		atMost("width", e.Width, MaxWidth),
		atMost("part", e.Part, maxPart),
		atMost("slot", e.Slot, 2*MaxSlots),
		e.Why.check())
}

func (w *Why) check() error {
	if err := atMost("the length of the rule", len(w.Rule), maxRule); err != nil {
		return err
	}
	return within(share("residual", w.Residual), amount("norm", w.Norm),
		amount("expected", w.Expected), span("slack", w.Slack),
		span("risk", w.Risk), span("gain", w.Gain), share("stays", w.Stays))
}

func (e *Harmed) check() error {
	if e.To < e.From {
		return errors.New("it ends before it begins")
	}
	return errors.Join(
		checkTenant(e.Tenant),
		atMost("the length of the sensor's name", len(e.Sensor), maxSensor),
		within(count("from", e.From), count("to", e.To),
			bound{"harvested", e.Harvested, 0, maxSeconds}, bound{"primary", e.Primary, 0, maxSeconds},
			bound{"delay", e.Delay, 0, maxSeconds}, bound{"budget", e.Budget, 0, maxSeconds}))
}

func (e *Revoked) check() error {
	if e.For == "" {
		return nil
	}
	return CheckToken("for", e.For)
}

// MaxFor is how many jobs a Paced names at most: people read no more, and each
// word to a host would carry them.
const MaxFor = 3

func (e *Paced) check() error {
	if err := errors.Join(atMost("the number of rates", len(e.Rates), maxRates), within(share("share", e.Share)),
		atMost("the number of jobs that it is for", len(e.For), MaxFor)); err != nil {
		return err
	}
	for _, id := range e.For {
		if err := CheckToken("for", id); err != nil {
			return err
		}
	}
	for _, r := range e.Rates {
		if err := within(amount("rate", r.Rate)); err != nil {
			return err
		}
	}
	return nil
}

func (e *Identified) check() error {
	return errors.Join(
		atMost("the length of the model's name", len(e.Model), maxModel),
		within(bound{"a", e.A, -1e6, 1e6}, bound{"b", e.B, -1e15, 1e15}, bound{"r2", e.R2, -maxSeconds, 1}, amount("sample", e.Sample)))
}

// These bound the weights of a queue: a smaller one counts as the smallest, and 0 resets the queue
// to its default.
const (
	MinWeight = 1e-6
	MaxWeight = 1e6
)

func (e *Shared) check() error { return within(bound{"weight", e.Weight, 0, MaxWeight}) }

func (e *Started) check() error { return within(share("residual", e.Residual)) }

func (e *Finished) check() error { return errors.Join(e.Run.check(), e.Fetch.check()) }
func (e *Failed) check() error   { return e.Run.check() }
func (e *Evicted) check() error {
	return errors.Join(e.Run.check(), within(bound{"kept", e.Kept, 0, maxSeconds}))
}

func (r *Run) check() error {
	return within(bound{"seconds", r.Seconds, 0, maxSeconds}, bound{"cpu", r.CPU, 0, maxSeconds},
		share("residual", r.Residual), count("in", r.In), count("out", r.Out), amount("read", r.Read))
}
