// Package subjects is the contract between lull's services. It has every subject, stream, bucket
// and event, and the one encoding of events.
//
// All durable facts of a pool of hosts are events in one JetStream stream, its
// log, so that every service sees one order:
//
//	lull.<pool>.job.<job>.<verb>              facts about a job
//	lull.<pool>.host.<host>.<verb>            facts by or for a host
//	lull.<pool>.host.<host>.<verb>.<job>      … about one job's tasks on it
//	lull.<pool>.model.<type>.fitted           what was learnt of a job type
//	lull.<pool>.pool.<verb>                   facts about the pool as a whole
//	lull.<pool>.led.<actor>.<partition>       which instance decides from here on
//
// The body does not repeat the tokens of the subject: Encode derives the subject from the event,
// and Decode fills the event's token fields from the subject. Verbs are in the past tense. Package
// ledger defines what the events mean together.
//
// Beside the log stand the inbox (what clients ask for, kept by the stream
// when the publish is acknowledged), telemetry (core NATS, may be lost), and
// asks (core request and reply).
//
// Nothing here opens a connection, reads a clock or touches a file.
package subjects
