// Package commands gathers the commands that people give to a pool, by families: jobs, hosts,
// queues, models, and replay. A command reads flags, uses package client, and prints; it
// decides nothing.
//
// Every command finds its pool the same way (package cli): --nats, else the lull that owns
// the data folder of this machine. Everything that lists takes --output json
// and then prints one array.
package commands
