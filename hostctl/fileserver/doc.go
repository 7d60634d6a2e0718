// Package fileserver serves what a host keeps: outputs to tasks on other hosts, logs to people.
//
//	GET /v1/attempts/{id}/manifest            ?damaged=1 instead says that the output's bytes are wrong
//	GET /v1/attempts/{id}/files/{path…}       ranges allowed; ?data=1 leaves out the holes that the manifest lists
//	GET /v1/parts/{path…}?attempts=1,2,3      the same file of several attempts, see parts
//	GET /v1/attempts/{id}/stdout, …/stderr    ?follow=1 streams until the attempt ends
//	GET /v1/tasks/{job}/{stage}/{task}/stdout, …/stderr    of the latest attempt
//
// Every request carries "Authorization: Bearer <ticket>". The host issues tickets to keys
// that may ask on its ticket subject: see package ticket.
package fileserver
