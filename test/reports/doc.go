// Package reports tries lull on what users of other batch systems, and of tools beside them, have reported in public:
// faults of the last yard, such as a line that was lost between two files, or a folder that was read twice.
//
//	go test -v ./test/reports
//
// Each report is an input and the one right result, which a person wrote down who had got another one. The table in
// reports_test.go has the addresses, the inputs, the results, and what lull did when it was tried first. Then the tasks
// run, in a `lull up` that all reports share. Nothing but facts was taken from the reports.
package reports
