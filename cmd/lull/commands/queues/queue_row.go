package queues

import (
	"lull/subjects"
)

// queueRow is a queue in queues --output json.
type queueRow struct {
	Queue   string                `json:"queue"`
	Weight  float64               `json:"weight"`
	Said    bool                  `json:"said"` // by an operator
	SaidBy  *subjects.Attribution `json:"said_by,omitempty"`
	AtOnce  uint32                `json:"jobs_at_once"`
	Jobs    uint32                `json:"jobs"`
	Running uint32                `json:"running"`
	Share   float64               `json:"share"`
	Slots   float64               `json:"slots"`
	Pace    *float64              `json:"pace"`
	Now     *float64              `json:"now"`
	Reads   *float64              `json:"reads"`
}

// queueRows are the queues with their shares.
func queueRows(lines []subjects.QueueLine) (rows []queueRow) {
	weights, slots := 0.0, uint32(0)
	for i := range lines {
		l := &lines[i]
		slots += l.Width
		if l.Jobs > 0 {
			weights += l.Weight
		}
		rows = append(rows, queueRow{
			Queue: l.Queue, Weight: l.Weight, Said: l.SetByOperator, SaidBy: l.By, AtOnce: l.AtOnce, Jobs: l.Jobs, Running: l.Running,
			Pace: l.Pace, Now: l.Reads, Reads: l.Since,
		})
	}
	for i := range rows {
		if rows[i].Jobs > 0 {
			rows[i].Share = rows[i].Weight / weights
		}
		if slots > 0 {
			rows[i].Slots = float64(lines[i].Width) / float64(slots)
		}
	}
	return rows
}
