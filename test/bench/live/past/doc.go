// Package past measures history at the size of a large pool: what samples cost in the pool's
// stream, and how long a classifier takes to read a month of all hosts, and a further day.
package past
