package local

import (
	"crypto/rand"

	"lull/classifier"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/service"
	"lull/slotter"
	"lull/slotter/datanode"
)

// Config says how all services run in one process.
type Config struct {
	service.Shared
	Host service.HostConfig
	// Data is the data folder. Defaults to folder.Default.
	Data string
	// Listen is where the embedded server listens. Defaults to loopback with
	// a free port.
	Listen string
	// Token is the secret that clients must present. Defaults to a random one.
	Token string
	// Policy is the slotter's: one of slotter.Policies.
	Policy string
	// DataNodes are the data nodes with a configured capacity; the slotter learns those of others.
	DataNodes []datanode.Config
	// Slotter says how queues share the pool: its Pace, Capacity, Borrow and Preempt.
	Slotter slotter.Config
	// Classifier says how tenants are classified.
	Classifier classifier.Config
	// AdmissionMode is which deadlines admission checks: "affected", the
	// default, "eq7" or "all", which checks none.
	AdmissionMode string
	// Floor is the free space on Data's volume, in bytes, below which nothing
	// is written. Defaults to room.DefaultFloor.
	Floor int64
}

func (c *Config) fill() {
	c.Fill()
	c.Host.Fill()
	if c.Data == "" {
		c.Data = folder.Default()
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	if c.Token == "" {
		c.Token = rand.Text()
	}
}
