package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/client"
	"lull/client/progress"
	"lull/subjects"
	"lull/subjects/spec"
)

// poolOf starts a server with a pool that has these events in its log.
func poolOf(ctx context.Context, events ...subjects.Event) (url string, stop func()) {
	dir, err := os.MkdirTemp("", "lull-example-")
	check(err)
	server, err := embedded.Start(embedded.Config{Dir: dir, Listen: "127.0.0.1:0"})
	check(err)
	nc, err := server.Conn("pool")
	check(err)
	bus, err := jetstream.Open(ctx, nc, subjects.DefaultPool)
	check(err)
	for _, e := range events {
		m, err := subjects.Encode(subjects.DefaultPool, e)
		check(err)
		_, err = bus.Append(ctx, []subjects.Message{m}, actors.Fence{})
		check(err)
	}
	return server.URL(), func() {
		nc.Close()
		check(server.Shutdown())
		check(os.RemoveAll(dir))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// life is that of a job with one task, which ran on host alpha.
func life() []subjects.Event {
	stage := spec.Stage{Name: "say", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1 << 20}
	fact := subjects.Fact{Term: 1, Attempt: 4}
	return []subjects.Event{
		&subjects.Joined{Host: "alpha", Cores: 2, Slots: 2, Memory: 1 << 30},
		&subjects.Submitted{Job: "hello-1", At: time.Now().UnixNano(), Spec: spec.Job{Name: "hello", Type: "hello", Stages: []spec.Stage{stage}}},
		&subjects.Admitted{Job: "hello-1", Mode: "affected"},
		&subjects.Assigned{Host: "alpha", Job: "hello-1", Term: 1, Try: 1, Width: 1, Why: subjects.Why{Rule: "mp-i"}},
		&subjects.Finished{Host: "alpha", Job: "hello-1", Fact: fact, Run: subjects.Run{Seconds: 2}},
		&subjects.JobFinished{Job: "hello-1", Totals: subjects.Totals{Tasks: 1, Attempts: 1}},
	}
}

func ExampleClient_Submit() {
	ctx := context.Background()
	url, stop := poolOf(ctx)
	defer stop()

	c, err := client.Dial(ctx, url, subjects.DefaultPool)
	check(err)
	defer c.Close()
	doc, err := spec.Parse([]byte(`
name: hello
stages:
  - {name: say, command: echo hello, tasks: 3}
deadline: 10m
`))
	check(err)
	job, err := c.Submit(ctx, doc, client.NewID())
	check(err)
	fmt.Println(strings.HasPrefix(job, "hello-"))
	// Output: true
}

func ExampleClient_Watch() {
	ctx := context.Background()
	url, stop := poolOf(ctx, life()...)
	defer stop()

	c, err := client.Dial(ctx, url, subjects.DefaultPool)
	check(err)
	defer c.Close()
	end, err := c.Watch(ctx, "hello-1", func(v progress.View) { log.Print(progress.Line(v)) })
	check(err)
	fmt.Println(end.Phase, end.Stages[0].Done, "of", end.Stages[0].Tasks)
	// Output: finished 1 of 1
}

func ExampleClient_Why() {
	ctx := context.Background()
	url, stop := poolOf(ctx, life()...)
	defer stop()

	c, err := client.Dial(ctx, url, subjects.DefaultPool)
	check(err)
	defer c.Close()
	why, err := c.Why(ctx, "hello")
	check(err)
	fmt.Println(why.Job, "is", why.State)
	for _, reason := range why.Reasons[3:] { // those before begin with the time of day
		fmt.Println(reason)
	}
	// Output:
	// hello-1 is finished
	// 1 attempt assigned: its job would have ended too late without more slots; of all such jobs, its deadline came first (rule i).
	//     say/0 on alpha: 0 % idle
}

func ExampleClient_Pause() {
	ctx := context.Background()
	url, stop := poolOf(ctx, &subjects.Joined{Host: "alpha", Cores: 2, Slots: 2, Memory: 1 << 30})
	defer stop()

	c, err := client.Dial(ctx, url, subjects.DefaultPool)
	check(err)
	defer c.Close()
	check(c.Pause(ctx, "the shop is slow", "alpha"))
	err = c.Pause(ctx, "", "beta")
	fmt.Println(errors.Is(err, client.ErrNoHost), err)
	view, err := c.View(ctx)
	check(err)
	for _, h := range view.State.Hosts() {
		fmt.Println(h.Name, "is", h.State())
	}
	// Output:
	// true no host "beta": lull hosts lists those there are
	// alpha is paused
}

func ExampleClient_Jobs() {
	ctx := context.Background()
	url, stop := poolOf(ctx, life()...)
	defer stop()

	c, err := client.Dial(ctx, url, subjects.DefaultPool)
	check(err)
	defer c.Close()
	answer, err := c.Jobs(ctx, subjects.JobsAsk{Limit: 100})
	check(err)
	for _, job := range answer.Jobs {
		fmt.Println(job.Job, job.State, job.Done, "of", job.Totals.Tasks)
	}
	// Output: hello-1 finished 1 of 1
}
