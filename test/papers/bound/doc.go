// Package bound says how little total task time any scheduler could have used:
// the limit that a policy's figure is read against.
//
// It is the assignment relaxation. A host's state s is what its primary leaves idle. With n of its
// slots busy each of them has residual R = min(1, idle/n), so a task of type j advances by
// 1/TCT_j(R) a second, divided by its own factor. Let x(j,s,n,k) be the work of type j (tasks,
// weighted with their factors) that is done in state s beside n−1 others in time interval k:
//
//	minimise    Σ x(j,s,n,k) · TCT_j(R(s,n))
//	subject to  Σ_j,n x(j,s,n,k) · TCT_j(R(s,n)) / n  ≤  host-seconds of s in k
//	            work done up to k  ≤  work that had arrived by its end
//	            work done up to k  ≥  work that was due by its end
//
// Whatever a scheduler did, counting what it did gives an x that satisfies every line, and whose
// objective is its total task time. n busy slots for a second are n slot-seconds, of which the
// committed tasks used at most n. Work was not done before it arrived, and what was done by its due
// time was done by the end of the interval. So the minimum is a lower bound for every policy with
// the same tasks, loads and due times. It is not always attainable: tasks are divisible here, may
// move between hosts at no cost, and everything is known in advance.
//
// Rounding does not break it. The solver only proposes prices (dual variables). Any prices, scaled
// until no column is underpaid, prove a bound (weak duality), and that proof is what Least returns.
package bound
