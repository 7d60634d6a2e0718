// Package pin looks up what a job document says of its input on the file
// system of the machine that submits: the files behind patterns, with their
// sizes and times, and the lines of lists.
//
// Sizes and times are pinned here, so that a task that finds a file changed
// can say so instead of reading something else than was submitted. Only names,
// sizes and times are read, never contents: package spec cuts files by size,
// and the tasks align the cuts to lines. A million files take about 150 MB.
package pin
