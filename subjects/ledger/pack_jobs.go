package ledger

import (
	"errors"
	"fmt"
	"slices"

	"lull/subjects"
	"lull/subjects/spec"
)

// packedJobs are the jobs of a snapshot, row behind row: a million of them are to be
// read within seconds, and as msgpack they take longer. A row has the
// specification as the bytes that the job keeps, or not at all if it is that of
// the row before:
//
//	id same [name specification] shape fields… stages [stage…] by paces
type packedJobs struct {
	Count  uint        `msgpack:"count"`
	Shapes []*spec.Job `msgpack:"shapes"`
	Rows   []byte      `msgpack:"rows"`
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
	p.flag(j.Endangered)
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
	p.uint(uint64(len(st.again)))
	for _, task := range st.again {
		p.uint(uint64(task))
	}
	p.uint(uint64(len(st.later)))
	for _, d := range st.later {
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

// jobUnpacker reads them.
type jobUnpacker struct {
	unpacker
	state  *State
	shapes []*spec.Job
	before Job // whose document the next may have
}

var errCut = errors.New("its bytes are cut off or damaged")

func (s *State) loadJobs(packed *packedJobs) error {
	u := jobUnpacker{unpacker: unpacker{b: packed.Rows}, state: s}
	s.jobs = make(map[string]*Job, min(packed.Count, uint(len(packed.Rows)/leastRow)))
	for i, shape := range packed.Shapes {
		if shape == nil {
			return fmt.Errorf("shape %d is missing", i)
		}
		if err := shape.ValidateShape(); err != nil {
			return fmt.Errorf("shape %d: %w", i, err)
		}
		u.shapes = append(u.shapes, s.alike.shape(shape))
	}
	for len(u.b) > 0 {
		j := new(Job)
		if err := u.job(j); err != nil {
			return fmt.Errorf("job %q: %w", j.ID, err)
		}
		s.add(j)
	}
	return nil
}

func (u *jobUnpacker) job(j *Job) error {
	u.describe(j)
	u.head(j)
	stages := u.uint()
	if u.bad {
		return errCut
	}
	if j.Phase > Rejected || u.state.jobs[j.ID] != nil || u.state.order.Has(j) || stages != uint64(len(j.Shape.Stages)) {
		return errors.New("it is there twice, or has stages that its specification has not")
	}
	if stages > 0 {
		j.Stages = make([]*Stage, stages)
	}
	for i := range j.Stages {
		st, err := u.stage()
		if err != nil {
			return fmt.Errorf("stage %d: %w", i, err)
		}
		if tasks := j.Shape.Stages[i].Tasks; st.size != tasks {
			return fmt.Errorf("stage %d: it has %d tasks, its specification %d", i, st.size, tasks)
		}
		j.Stages[i] = st
	}
	if err := u.blob(&j.By); err != nil {
		return err
	}
	return u.paces(j)
}

func (u *jobUnpacker) head(j *Job) {
	j.Seq, j.Inbox = u.uint(), u.uint()
	u.bad = u.bad || copy(j.Digest[:], u.bytes()) != len(j.Digest)
	j.Sender, j.Trace = u.sender(), u.text()
	for _, at := range []*int64{&j.Submitted, &j.Admitted, &j.Ended, &j.Deadline, &j.Finish, &j.Earliest} {
		*at = u.int()
	}
	j.Slack, j.Phase, j.Endangered = u.float(), Phase(min(u.uint(), uint64(Rejected)+1)), u.flag()
	j.Code, j.Text = u.text(), u.text()
	t := &j.Totals
	for _, n := range []*uint32{&t.Tasks, &t.Attempts, &t.Evicted, &t.Failed} {
		*n = u.uint32()
	}
	t.CPU, t.Seconds, j.Rest = u.float(), u.float(), u.uint()
}

// sender is found without making strings of what is known.
func (u *jobUnpacker) sender() *Sender {
	user, client := u.bytes(), u.bytes()
	if known := u.state.alike.senders[Sender{string(user), string(client)}]; known != nil {
		return known
	}
	return u.state.alike.sender(string(user), string(client))
}

// describe reads the job's id, name and specification. Where they are the job's own they
// become parts of one string: that is two million strings less for a million jobs.
func (u *jobUnpacker) describe(j *Job) {
	row := u.b
	end := func() int { return len(row) - len(u.b) }
	id, idEnd := u.bytes(), end()
	if same := u.flag(); same {
		j.ID, j.Name, j.doc = string(id), u.before.Name, u.before.doc
	} else {
		name, nameEnd := u.bytes(), end()
		doc := u.bytes()
		if known, ok := u.state.alike.texts[string(doc)]; ok {
			j.ID, j.Name, j.doc = string(id), u.state.alike.text(string(name)), known
		} else {
			texts := string(row[:end()])
			j.ID, j.Name = texts[idEnd-len(id):idEnd], texts[nameEnd-len(name):nameEnd]
			j.doc = u.state.alike.text(texts[len(texts)-len(doc):])
		}
		u.before.Name, u.before.doc = j.Name, j.doc
	}
	if at := u.uint(); at < uint64(len(u.shapes)) {
		j.Shape = u.shapes[at]
	} else {
		u.bad = true
	}
}

func (u *jobUnpacker) stage() (*Stage, error) {
	st := newStage(u.uint32(), u.int())
	if !u.flag() {
		return st, u.whole()
	}
	st.Evicted, st.Failed, st.next = u.uint32(), u.uint32(), u.uint32()
	tasks, err := unpackTasks(u.bytes(), uint32(len(u.state.byID)))
	if err != nil {
		return nil, err
	}
	st.begun = &begun{tasks: tasks}
	for n := u.uint(); n > 0 && !u.bad; n-- {
		st.again = append(st.again, u.uint32())
	}
	for n := u.uint(); n > 0 && !u.bad; n-- {
		st.later = append(st.later, delay{u.int(), u.uint32()})
	}
	beyond := func(task uint32) bool { return int(task) >= len(tasks) }
	if len(tasks) != int(st.size) || int(st.next) > len(tasks) || slices.ContainsFunc(st.again, beyond) ||
		slices.ContainsFunc(st.later, func(d delay) bool { return beyond(d.task) }) {
		return nil, errors.New("its queues do not fit its tasks")
	}
	st.count()
	return st, u.whole()
}

func (u *jobUnpacker) whole() error {
	if u.bad {
		return errCut
	}
	return nil
}

// blob reads what few jobs have into v, and leaves it as it is if there is nothing.
func (u *jobUnpacker) blob(v any) error {
	body := u.bytes()
	if u.bad || len(body) == 0 {
		return u.whole()
	}
	return subjects.Unmarshal(body, v)
}

func (u *jobUnpacker) paces(j *Job) error {
	var forms []paceForm
	if err := u.blob(&forms); err != nil {
		return err
	}
	for i := range forms {
		if int64(forms[i].Host) >= int64(len(u.state.byID)) {
			return errors.New("it is paced on a host that is missing")
		}
		j.paces = append(j.paces, forms[i].pace(u.state))
	}
	return nil
}
