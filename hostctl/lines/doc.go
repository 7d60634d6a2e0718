// Package lines reads ranges of files that are cut at line ends.
//
// A cut falls anywhere; what a range holds follows from one rule: each line
// belongs to the range that holds its first byte. So neighbours agree on a
// line without talking, and the ranges of a file, read one after the other,
// give the file, whatever the cuts.
package lines
