package pacing

import (
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Config says how capacity is divided.
type Config struct {
	// Capacity is what the pool's tasks can read in all, in bytes/s. 0 means what its idle
	// cores read, type by type.
	Capacity float64
	// Borrow is the part of the other queues' capacity that a queue may take for
	// deadlines at risk, 0 to 1.
	Borrow float64
	// Margin is the factor by which tasks are taken to need longer than predicted.
	Margin float64
	// Spare keeps a stage from being slowed while attempts run that began at a higher rate.
	Spare bool
}

// Pacer decides at which rates tasks read. Make it with New.
type Pacer struct {
	Config
	pool     Pool
	now      int64
	enforced bool // jobs that compete are to be paced

	due    bool // something changed since the last look
	urgent bool // a stage began or ended, or an operator set a weight: it cannot wait
	held   bool // hosts may hold rates
	Times
	balance int64 // when capacity is to be divided again at the latest, 0 for not before something happens
}

// Times are the times that a snapshot keeps, in Unix nanoseconds; 0 for never.
type Times struct {
	Divided int64 // when the capacity was divided last
	Weighed int64 // when what queues had was weighed last
	Lone    int64 // since when one queue has tasks though others have jobs
}

// New returns the Pacer of a pool.
func New(cfg Config, pool Pool) *Pacer { return &Pacer{Config: cfg, pool: pool} }

const (
	// divideEvery bounds how often the capacity is divided: a task that ends in a
	// large job changes little for the others.
	divideEvery = int64(time.Second)
	// balanceEvery is the interval after which what queues had is weighed again, if
	// nothing happens.
	balanceEvery = int64(5 * time.Second)
	// repayReads is the time over which capacity is made up for, in seconds: rates
	// follow within some seconds, so it can be short.
	repayReads = 30
	// offBy is the part by which a rate must differ for a new one to be sent: controllers take some
	// three seconds to settle, and should not chase noise.
	offBy = 0.05
)

// NoteChange notes that rates may be off, which can wait for a second.
func (p *Pacer) NoteChange() { p.due = true }

// DivideSoon has rates computed with the next decision, if anything changed.
func (p *Pacer) DivideSoon() { p.urgent = true }

// NoteHeld notes that hosts may hold rates.
func (p *Pacer) NoteHeld() { p.held = true }

// NoteTasks notes that a task of a stage came or went. The first and the last of a
// stage change what the job can use.
func (p *Pacer) NoteTasks(st *ledger.Stage) {
	p.due = true
	p.urgent = p.urgent || st.Held <= 1
}

// Decide returns the rates to send to hosts, at most room events. enforced means that competing
// jobs are to be paced; otherwise rates are lifted.
func (p *Pacer) Decide(now int64, enforced bool, room int) []subjects.Event {
	p.now, p.enforced = now, enforced
	p.due = p.due || p.balance != 0 && p.balance <= now
	if !p.due || !p.held && !enforced || room == 0 {
		return nil
	}
	if p.Divided != 0 && now < p.Divided+divideEvery && !p.urgent {
		p.pool.DecideAt(p.Divided + divideEvery)
	} else {
		p.pool.Settle()
		p.divide()
		p.Divided, p.due, p.urgent = now, false, false
	}
	if p.Lone != 0 && now < p.Lone+betweenTasks {
		return nil // rates stay as they are
	}
	return p.report(room)
}
