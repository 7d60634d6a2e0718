package slotter

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
)

func TestTheLastUsageOfHostsComesPageByPage(t *testing.T) {
	p := newPool(t, Config{Stale: 5 * time.Second})
	const hosts = 1003 // more than a page
	for n := range hosts {
		p.join(fmt.Sprintf("h-%04d", n), 1, 100, 1)
	}
	p.sample(&subjects.Usage{Host: "h-0001", Idle: 0.5, Primary: 3})
	p.sample(&subjects.Speeds{Host: "h-0001", Tasks: []subjects.Speed{{Attempt: 7, Rate: 9}}})
	first := ask[subjects.UsageAnswer](t, p, subjects.AskUsage, &subjects.UsageAsk{Speeds: true})
	rest := ask[subjects.UsageAnswer](t, p, subjects.AskUsage, &subjects.UsageAsk{After: first.Next})
	if len(first.Hosts)+len(rest.Hosts) != hosts || rest.Next != "" || rest.Hosts[0].Host <= first.Next {
		t.Fatalf("pages of %d and %d hosts, next %q and %q, want %d hosts in order", len(first.Hosts), len(rest.Hosts), first.Next, rest.Next, hosts)
	}
	h := first.Hosts[1]
	if h.Host != "h-0001" || h.Usage.Primary != 3 || len(h.Tasks) != 1 || h.Tasks[0].Rate != 9 {
		t.Errorf("usage of h-0001 = %+v %+v, want 3 cores and a task of rate 9", h, h.Usage)
	}
	if plain := ask[subjects.UsageAnswer](t, p, subjects.AskUsage, &subjects.UsageAsk{}); len(plain.Hosts[1].Tasks) > 0 {
		t.Errorf("speeds in an answer on usage alone = %v, want none", plain.Hosts[1].Tasks)
	}
	p.now = p.now.Add(time.Minute)
	p.sample(&subjects.Usage{Host: "h-0002", Idle: 1})
	late := ask[subjects.UsageAnswer](t, p, subjects.AskUsage, &subjects.UsageAsk{})
	if len(late.Hosts) != 1 || late.Hosts[0].Host != "h-0002" {
		t.Errorf("usage after a minute of silence = %d hosts, want h-0002 alone", len(late.Hosts))
	}
}
