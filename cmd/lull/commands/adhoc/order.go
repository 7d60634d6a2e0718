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
	out, err int
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
func (o *Order) add(one Result, show func(Result)) error {
	if one.Task != o.turn {
		if err := o.hold(one); err != nil {
			o.held[one.Task] = piece{}
			show(one)
			return fmt.Errorf("task %d is shown out of order: %w", one.Task+1, err)
		}
		return nil
	}
	show(one)
	for o.turn++; ; o.turn++ {
		next, ok := o.held[o.turn]
		if !ok {
			return nil
		}
		if err := o.release(next, show); err != nil {
			return err
		}
	}
}

func (o *Order) hold(one Result) error {
	text := slices.Concat(one.Stdout, one.Stderr)
	if _, err := o.file.WriteAt(text, o.end); err != nil {
		return err
	}
	o.held[one.Task] = piece{o.end, len(one.Stdout), len(one.Stderr)}
	o.end += int64(len(text))
	return nil
}

// release shows the next task in order.
func (o *Order) release(p piece, show func(Result)) error {
	delete(o.held, o.turn)
	text := make([]byte, p.out+p.err)
	if _, err := o.file.ReadAt(text, p.at); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("what task %d wrote is lost: %w", o.turn+1, err)
	}
	show(Result{Task: o.turn, Stdout: text[:p.out], Stderr: text[p.out:]})
	return nil
}

// close shows what still waits, because earlier tasks have not ended.
func (o *Order) close(show func(Result)) (err error) {
	for _, task := range slices.Sorted(maps.Keys(o.held)) {
		o.turn = task
		err = errors.Join(err, o.release(o.held[task], show))
	}
	return errors.Join(err, o.file.Close())
}
