package pin

import "context"

// Await returns what read returns, or the context's error once that ends. A file may be a named pipe, and
// opening one waits for its writer: nothing interrupts that, so the read is left behind.
func Await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
