// Package twin predicts what placer/predict does, the long way: each task, each request and each
// slot by itself, one event after the other. The predictor is judged by it.
//
// It shares the description of jobs, hosts and network with the predictor, and not a line of how they
// are played: no groups, no bundles, a max–min division of its own.
package twin
