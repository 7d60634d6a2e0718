package adhoc

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// Order shows what tasks wrote in the order of their numbers. The output of a task that ends before its
// turn is kept in a file, which can be larger than memory.
type Order struct {
	file *os.File // has no name any more
	end  int64
	held map[int]piece
	turn int // the task that is shown next
}

// piece is the place of a task's output in the file: stdout, then stderr, in bytes.
type piece struct {
	at       int64
	out, err int64
}

// NewOrder begins with task 0.
func NewOrder() (*Order, error) {
	file, err := os.CreateTemp("", "lull-order-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Order{file: file, held: map[int]piece{}}, nil
}

// add shows the task if it is its turn, and then those that waited for it. A task that cannot be kept is
// shown at once, and the error says so.
func (o *Order) add(one *Result, r *Results) error {
	if one.Task != o.turn {
		return o.hold(one, r)
	}
	r.show(one)
	for o.turn++; ; o.turn++ {
		next, ok := o.held[o.turn]
		if !ok {
			return nil
		}
		if err := o.release(next, r); err != nil {
			return err
		}
	}
}

func (o *Order) hold(one *Result, r *Results) error {
	shown, shownAside := r.outputs(one.Task)
	out, aside := &holder{order: o, at: o.end, instead: shown}, &holder{order: o, instead: shownAside}
	n, err := write(out, one.Stdout)
	r.note(err)
	one.received, aside.at = n, o.end
	n, err = write(aside, one.Stderr)
	r.note(err)
	p := piece{at: out.at, out: one.received, err: n}
	if out.full != nil {
		p.out = 0
	}
	if aside.full != nil {
		p.err = 0
	}
	o.held[one.Task] = p
	if err := errors.Join(out.full, aside.full); err != nil {
		return fmt.Errorf("task %d is shown out of order: %w", r.Line.Number(one.Task)+1, err)
	}
	return nil
}

// holder puts a text at the end of the file. If that takes no more, the text is shown at once.
type holder struct {
	order   *Order
	at      int64 // where the text begins
	instead io.Writer
	full    error
}

func (h *holder) Write(b []byte) (int, error) {
	if h.full != nil {
		return h.instead.Write(b)
	}
	if _, h.full = h.order.file.WriteAt(b, h.order.end); h.full == nil {
		h.order.end += int64(len(b))
		return len(b), nil
	}
	if _, err := io.Copy(h.instead, io.NewSectionReader(h.order.file, h.at, h.order.end-h.at)); err != nil {
		return 0, err
	}
	return h.instead.Write(b)
}

// release shows the next task in order.
func (o *Order) release(p piece, r *Results) error {
	delete(o.held, o.turn)
	out, aside := r.outputs(o.turn)
	_, err1 := io.Copy(out, io.NewSectionReader(o.file, p.at, p.out))
	_, err2 := io.Copy(aside, io.NewSectionReader(o.file, p.at+p.out, p.err))
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("task %d: %w", r.Line.Number(o.turn)+1, err)
	}
	return nil
}

// close shows what still waits, because earlier tasks have not ended.
func (o *Order) close(r *Results) (err error) {
	for _, task := range slices.Sorted(maps.Keys(o.held)) {
		o.turn = task
		err = errors.Join(err, o.release(o.held[task], r))
	}
	return errors.Join(err, o.file.Close())
}
