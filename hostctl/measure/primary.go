package measure

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// request is the CPU time of one, on an idle core.
const request = time.Millisecond

// Primary plays a server.
type Primary struct {
	threads int
	load    float64 // of each thread
	seed    uint64
	rounds  int // of burn, for one request
}

// NewPrimary makes a server of some threads, each of which is busy for a share
// load (0–1) of the time. It finds out how long a request must burn on this
// machine, for about 20 ms.
func NewPrimary(threads int, load float64, seed uint64) *Primary {
	return &Primary{threads: threads, load: load, seed: seed, rounds: calibrate()}
}

// calibrate counts the rounds of burn in a request. The fastest of several
// tries counts: the others were interrupted.
func calibrate() int {
	const rounds = 200_000
	best, sink := time.Hour, uint64(0)
	for range 20 {
		begin := time.Now()
		sink += burnCPU(rounds)
		best = min(best, time.Since(begin))
	}
	runtime.KeepAlive(sink)
	return max(1, int(int64(rounds)*int64(request)/max(1, int64(best))))
}

// burnCPU keeps a core busy. Its result is used, or the compiler would leave it out.
func burnCPU(rounds int) (x uint64) {
	x = 88172645463325252
	for range rounds {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// Serve makes every thread serve its requests for a duration, and returns their latencies, counted
// from the times at which they should begin. Each round has its own requests.
func (p *Primary) Serve(ctx context.Context, length time.Duration, round uint64) []time.Duration {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		all   []time.Duration
	)
	for thread := range p.threads {
		group.Go(func() {
			random := rand.New(rand.NewPCG(p.seed+round, uint64(thread)))
			mine := p.thread(ctx, length, random)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, mine...)
		})
	}
	group.Wait()
	return all
}

// thread serves requests at random times until length is over; on a machine so
// busy that they pile up, until twice that.
func (p *Primary) thread(ctx context.Context, length time.Duration, random *rand.Rand) (latencies []time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var sink uint64
	begin := now()
	for at := time.Duration(0); ctx.Err() == nil; {
		at += time.Duration(random.ExpFloat64() * float64(request) / p.load)
		if at > length || now()-begin > 2*length {
			break
		}
		sleepUntil(begin + at)
		sink += burnCPU(p.rounds)
		latencies = append(latencies, now()-begin-at)
	}
	runtime.KeepAlive(sink)
	return latencies
}

// now is the monotonic clock.
func now() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // this clock always is
	return time.Duration(ts.Nano())
}

// sleepUntil sleeps in the kernel, as a server does that waits for its socket:
// the runtime's own timers would add what other goroutines do.
func sleepUntil(at time.Duration) {
	ts := unix.NsecToTimespec(int64(at))
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil) == unix.EINTR {
	}
}
