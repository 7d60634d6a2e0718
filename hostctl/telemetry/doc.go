// Package telemetry publishes what a host says of itself beside the log: heartbeats, and samples
// for people to look at. A message that is lost is not repeated.
//
//	sender := telemetry.Sender{Pool: pool, Bus: bus}
//	err := sender.Send(&subjects.Speeds{…})
//
//	beats := telemetry.NewBeats(sender, logger)
//	go beats.Run(ctx)
//	beats.Set(beat)       // from now on
package telemetry
