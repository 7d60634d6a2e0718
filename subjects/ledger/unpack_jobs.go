package ledger

import (
	"errors"
	"fmt"
	"slices"

	"lull/subjects"
	"lull/subjects/spec"
)

// jobUnpacker reads them.
type jobUnpacker struct {
	unpacker
	state  *State
	shapes []*spec.Job
	before Job // the next row may have its document, and has a later submission
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
		u.shapes = append(u.shapes, s.interner.shape(shape))
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
	later := u.before.Seq == 0 || j.Seq > u.before.Seq
	if j.Phase > Trying || u.state.jobs[j.ID] != nil || !later || stages != uint64(len(j.Shape.Stages)) {
		return errors.New("it occurs twice or out of order, or has stages that its specification lacks")
	}
	u.before.Seq = j.Seq
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
	j.Slack, j.Phase = u.float(), Phase(min(u.uint(), uint64(Trying)+1))
	marks := u.uint()
	if j.mark(marks); marks&4 != 0 {
		j.refreshed = u.uint()
	}
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
	if known := u.state.interner.senders[Sender{string(user), string(client)}]; known != nil {
		return known
	}
	return u.state.interner.sender(string(user), string(client))
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
		if known, ok := u.state.interner.texts[string(doc)]; ok {
			j.ID, j.Name, j.doc = string(id), u.state.interner.text(string(name)), known
		} else {
			texts := string(row[:end()])
			j.ID, j.Name = texts[idEnd-len(id):idEnd], texts[nameEnd-len(name):nameEnd]
			j.doc = u.state.interner.text(texts[len(texts)-len(doc):])
		}
		u.before.Name, u.before.doc = j.Name, j.doc
	}
	if at := u.uint(); at < uint64(len(u.shapes)) {
		j.Shape = u.shapes[at]
		j.conditional = j.Shape.Conditional()
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
	st.taskTable = &taskTable{tasks: tasks}
	for n := u.uint(); n > 0 && !u.bad; n-- {
		st.returned = append(st.returned, u.uint32())
	}
	for n := u.uint(); n > 0 && !u.bad; n-- {
		st.delayed = append(st.delayed, delay{u.int(), u.uint32()})
	}
	beyond := func(task uint32) bool { return int(task) >= len(tasks) }
	if len(tasks) != int(st.size) || int(st.next) > len(tasks) || slices.ContainsFunc(st.returned, beyond) ||
		slices.ContainsFunc(st.delayed, func(d delay) bool { return beyond(d.task) }) {
		return nil, errors.New("its queues of waiting tasks name tasks that it does not have")
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
