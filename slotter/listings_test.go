package slotter

import (
	"testing"

	"lull/subjects"
)

// Listings are answered with what the slotter has folded, and garbage with an error.
func TestListingsAreAnswered(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 2, 10, 1)
	p.submit("j", 0, tasks("one", 3))
	p.settle()
	hosts := ask[subjects.HostsAnswer](t, p, subjects.AskHosts, &subjects.HostsAsk{})
	if len(hosts.Hosts) != 1 || hosts.Hosts[0].Busy != 2 || hosts.Seq != p.a.state.Seq {
		t.Errorf("the hosts are %+v", hosts)
	}
	for _, what := range []string{subjects.AskHosts, subjects.AskModels} {
		for _, garbage := range [][]byte{nil, {0xc1}, []byte("hosts?"), {0x81, 0xa5, 'a', 'f', 't', 'e', 'r', 0x01}} {
			var head subjects.Folded
			if err := subjects.Unmarshal(p.a.Answer(what, garbage), &head); err != nil || head.Error == "" {
				t.Errorf("% x is answered with %+v: %v", garbage, head, err)
			}
		}
	}
}
