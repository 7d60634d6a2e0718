package steering

import "lull/subjects/spec"

// Need is how many cores the job can use at once at most: see spec.Job.Widest.
func Need(job *spec.Job) Cores { return Cores(job.Widest()) }
