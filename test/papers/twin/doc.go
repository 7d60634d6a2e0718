// Package twin predicts the same as placer/predict in more detail: each task, each request and each
// slot by itself, one event after the other. Tests compare the predictor with it.
//
// It shares the description of jobs, hosts and network with the predictor, but none of its algorithms. It
// has no groups and no bundles, and a max–min division of its own.
package twin
