package slotter

import "lull/slotter/facts"

// Config says how a pool's slots are given away. The zero value is ready.
type Config = facts.Config

// Policies are all values of Config.Policy, the simplest first, and harvest last.
func Policies() []string { return facts.Policies() }

// Values of Config.Policy.
const (
	PolicyFIFO    = facts.PolicyFIFO
	PolicyEDF     = facts.PolicyEDF
	PolicyMP      = facts.PolicyMP
	PolicyMPPlus  = facts.PolicyMPPlus
	PolicyHarvest = facts.PolicyHarvest
)

// Values of Config.Pace.
const (
	PaceAuto = facts.PaceAuto
	PaceOn   = facts.PaceOn
	PaceOff  = facts.PaceOff
)

// Values of Config.Preempt.
const (
	PreemptThrottle = facts.PreemptThrottle
	PreemptKill     = facts.PreemptKill
	PreemptNone     = facts.PreemptNone
)

// Values of Config.Steer.
const (
	SteerOff     = facts.SteerOff
	SteerPaper   = facts.SteerPaper
	SteerProfile = facts.SteerProfile
)

// Values of Config.Models.
const (
	ModelsOnline = facts.ModelsOnline
	ModelsFixed  = facts.ModelsFixed
)
