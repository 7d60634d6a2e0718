// Package commands holds the commands that people give to a pool: run a job,
// submit it, look at it, change its mind. A command reads flags, uses package
// client, and prints; it decides nothing.
//
// Every command finds its pool the same way: --nats, else the lull that owns
// the data folder of this machine. Everything that lists takes --output json
// and then prints one array.
package commands
