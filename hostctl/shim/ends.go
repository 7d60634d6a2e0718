package shim

import "slices"

// maxEnds bounds the ends that wait for their acknowledgement. An agent has a
// few under way; one that has lost its log must not fill our memory.
const maxEnds = 4096

// ends are the ends of attempts that the agent has not acknowledged.
type ends struct {
	conn      *conn
	ended     []*Exited
	unstarted []*StartFailed
}

// waiting reports whether there are some.
func (n *ends) waiting() bool { return len(n.ended)+len(n.unstarted) > 0 }

// finish keeps an end until it is acknowledged, and reports it.
func (n *ends) finish(e *Exited) {
	n.ended = append(n.ended, e)
	n.ended = n.ended[max(0, len(n.ended)-maxEnds):]
	n.conn.send(report{Exited: e})
}

// refuse keeps and reports a start that failed.
func (n *ends) refuse(e *StartFailed) {
	n.unstarted = append(n.unstarted, e)
	n.unstarted = n.unstarted[max(0, len(n.unstarted)-maxEnds):]
	n.conn.send(report{StartFailed: e})
}

func (n *ends) forget(attempt uint64) {
	n.ended = slices.DeleteFunc(n.ended, func(e *Exited) bool { return e.Attempt == attempt })
	n.unstarted = slices.DeleteFunc(n.unstarted, func(e *StartFailed) bool { return e.Attempt == attempt })
}

// repeat reports whether an attempt has ended or failed here, and sends its end again. After a
// broken connection an agent repeats orders, and the attempt must not run twice.
func (n *ends) repeat(attempt uint64) bool {
	for _, e := range n.ended {
		if e.Attempt == attempt {
			n.conn.send(report{Exited: e})
			return true
		}
	}
	for _, e := range n.unstarted {
		if e.Attempt == attempt {
			n.conn.send(report{StartFailed: e})
			return true
		}
	}
	return false
}
