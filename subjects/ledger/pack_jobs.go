package ledger

import (
	"fmt"

	"lull/subjects"
	"lull/subjects/spec"
)

// packedJobs are the jobs of a snapshot, row by row. A million of them must be readable within
// seconds, and as msgpack they take longer. A row has the specification as the bytes that the job
// keeps, or not at all if it is that of the row before:
//
//	id same [name specification] shape fields… stages [stage…] by paces
type packedJobs struct {
	Count  uint          `msgpack:"count"`
	Shapes []*spec.Job   `msgpack:"shapes"`
	Rows   subjects.View `msgpack:"rows"`
}

const (
	rowBytes = 256 // of a usual row
	leastRow = 64  // of any
)

// jobPacker writes a snapshot's jobs.
type jobPacker struct {
	packer
	shapes []*spec.Job
	at     map[*spec.Job]uint64
	doc    string // of the job before
}

func packJobs(jobs *Jobs) (packedJobs, error) {
	p := jobPacker{at: map[*spec.Job]uint64{}, packer: packer{make([]byte, 0, rowBytes*jobs.Len())}}
	for j := range jobs.All() {
		if err := p.job(j); err != nil {
			return packedJobs{}, fmt.Errorf("job %s: %w", j.ID, err)
		}
	}
	return packedJobs{uint(jobs.Len()), p.shapes, p.b}, nil
}

func (p *jobPacker) job(j *Job) error {
	p.describe(j)
	p.head(j)
	p.uint(uint64(len(j.Stages)))
	for _, st := range j.Stages {
		p.stage(st)
	}
	if err := p.blob(j.By, j.By != nil); err != nil {
		return err
	}
	return p.blob(formsOf(j.paces), len(j.paces) > 0)
}

func (p *jobPacker) head(j *Job) {
	p.uint(j.Seq)
	p.uint(j.Inbox)
	p.bytes(j.Digest[:])
	p.text(j.User)
	p.text(j.Client)
	p.text(j.Trace)
	for _, at := range []int64{j.Submitted, j.Admitted, j.Ended, j.Deadline, j.Finish, j.Earliest} {
		p.int(at)
	}
	p.float(j.Slack)
	p.uint(uint64(j.Phase))
	p.uint(uint64(j.marks()))
	if j.refreshed != 0 {
		p.uint(j.refreshed)
	}
	p.text(j.Code)
	p.text(j.Text)
	t := &j.Totals
	for _, n := range []uint32{t.Tasks, t.Attempts, t.Evicted, t.Failed} {
		p.uint(uint64(n))
	}
	p.float(t.CPU)
	p.float(t.Seconds)
	p.uint(j.Rest)
}

// marks packs the flags of a job into bits.
func (j *Job) marks() (bits byte) {
	if j.Endangered {
		bits |= 1
	}
	if j.Late {
		bits |= 2
	}
	if j.refreshed != 0 { // its sequence follows
		bits |= 4
	}
	return bits
}

func (j *Job) mark(bits uint64) { j.Endangered, j.Late = bits&1 != 0, bits&2 != 0 }

// blob writes what few jobs have, in msgpack.
func (p *jobPacker) blob(v any, there bool) error {
	if !there {
		p.bytes(nil)
		return nil
	}
	body, err := subjects.Marshal(v)
	p.bytes(body)
	return err
}

func (p *jobPacker) describe(j *Job) {
	p.text(j.ID)
	p.flag(j.doc == p.doc)
	if j.doc != p.doc {
		p.text(j.Name)
		p.text(j.doc)
		p.doc = j.doc
	}
	at, known := p.at[j.Shape]
	if !known {
		at = uint64(len(p.shapes))
		p.at[j.Shape], p.shapes = at, append(p.shapes, j.Shape)
	}
	p.uint(at)
}

func (p *jobPacker) stage(st *Stage) {
	p.uint(uint64(st.size))
	p.int(st.Bytes)
	p.flag(st.Begun())
	if !st.Begun() {
		return
	}
	p.uint(uint64(st.Evicted))
	p.uint(uint64(st.Failed))
	p.uint(uint64(st.next))
	p.bytes(packTasks(st.tasks))
	p.uint(uint64(len(st.returned)))
	for _, task := range st.returned {
		p.uint(uint64(task))
	}
	p.uint(uint64(len(st.delayed)))
	for _, d := range st.delayed {
		p.int(d.at)
		p.uint(uint64(d.task))
	}
}

func formsOf(paces []*Pace) []paceForm {
	forms := make([]paceForm, len(paces))
	for i, p := range paces {
		forms[i] = paceForm{p.Host.id, p.Term, p.Rates, p.Share, p.Why, p.For}
	}
	return forms
}
