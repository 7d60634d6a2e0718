// Package prometheus reads the usage of hosts from the HTTP API of a Prometheus server, or of a server
// with the same API.
//
//	from := prometheus.Source{URL: url, Query: query, Host: "instance"}
//	err := from.Read(ctx, first, end, func(s prometheus.Series) error { … })
//
// The API gives at most 11,000 points of a series at once, and a month has 22,320 steps. So the
// source asks for a day at a time, and for less where the server says that a day takes too many
// samples. A series is passed on when the answer that holds it was read to its end: half an answer
// gives nothing. A value counts for the step that ends at its time, as a rate over two minutes does.
package prometheus
