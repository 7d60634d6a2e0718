// Package answers replies to what hosts and clients ask of the slotter, from the state
// that it has folded:
//
//	AskDocument   the document of a job whose entry was trimmed from the log
//	AskOutputs    which hosts keep the outputs of a stage, page by page
//	AskWanted     of some jobs, those of which hosts must keep the outputs
//	AskKept       the outputs that a host is to have, page by page
//	AskRoom       the attempts of a host that another host could run now
//	AskDataNodes  what data nodes bear, and whether tasks wait for them
//	AskUsage      what hosts published last, page by page
//	AskHosts      the hosts, page by page
//	AskModels     the models of task times, page by page
//	AskQueues     the queues, counted part by part
//	AskJob        one job, its stages, and what it waits for
//
// An answer changes nothing, and its size and the time that it takes are bounded.
package answers
