package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"lull/subjects/ledger"
)

// Streams of an attempt.
const (
	Stdout = "stdout"
	Stderr = "stderr"
)

// Log opens what an attempt wrote to one of its streams; with follow it goes
// on until the attempt ends. The caller closes it.
func Log(ctx context.Context, h *ledger.Host, attempt uint64, stream string, follow bool) (io.ReadCloser, error) {
	from, err := source(h)
	if err != nil {
		return nil, err
	}
	url := fmt.Sprintf("%s/v1/attempts/%d/%s", from.URL, attempt, stream)
	if follow {
		url += "?follow=1"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+from.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask host %s for the log: %w", from.Host, err)
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 200))
		_ = response.Body.Close()
		return nil, fmt.Errorf("host %s: %s", from.Host, strings.TrimSpace(string(text)))
	}
	return response.Body, nil
}
