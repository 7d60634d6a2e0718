// Package pin looks up the inputs of a job document on the file system of the machine that submits:
// the files behind patterns, with their sizes and times, and the lines of lists.
//
// # Data nodes
//
// What serves the bytes may be the bottleneck, so each stage names its data
// nodes: kind and name, such as
//
//	nfs:filer1        a file server, by its kind of file system: nfs, cifs, ceph, lustre, 9p, sshfs …
//	disk:host-7:sda   a disk of the machine that submitted
//	url:data.example  a web server
//	agent:host-7      a host that keeps what an earlier stage wrote; not written in documents
//
// They are found by the mount that each file lies on. Memory is no data node.
// A document that knows better names its own: sources: [filer1].
//
// # Pins
//
// Sizes and times are pinned here, so that a task that finds a file changed can report it instead
// of reading something else than was submitted. Only names, sizes and times are read, never
// contents: package spec cuts files by size, and the tasks align the cuts to lines. A million files
// take about 150 MB.
package pin
