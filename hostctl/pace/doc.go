// Package pace is the pure half of running a task at a set rate. It learns how the task's
// throughput follows its CPU cap, and then chooses the cap at each sample (Park and Humphrey,
// "Predictable Time-Sharing for DryadLINQ Cluster", HPDC 2010, sections 4 and 9).
//
// One Driver controls a task from its first sample to its end:
//
//	        no model yet             Cycles of a sine, or the task's end
//	begin ───────────────▶ trial ─────────────────────────────────────▶ control
//	  │                                       Identify                     ▲
//	  └──────────────────────── a model of its type ───────────────────────┘
//
//	d := pace.NewDriver(model, most)            // model nil: learn it first
//	for range samples {                         // every Sample
//		cap := d.Step(rate, inForce, reference) // bytes/s, cores, bytes/s
//		…                                       // apply min(cap, what others allow)
//	}
//	learnt := d.Learnt()                        // what to report to the log
//
// The plant is of first order, T(k) = a·T(k−1) + b·C(k−1) (equation 1). T in bytes/s is
// measured over the sample that ends at k; C in cores is the cap from k on. The controller is
// proportional and integral (equation 2). Its gains keep the loop stable wherever the true model
// lies within a Margin of the identified one. For a task that reads in bursts the gains are
// lowered, see jumps. A new reference changes the cap at once, see target. No code here reads a
// clock: a step is a sample.
package pace
