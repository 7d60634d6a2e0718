package client

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"lull/client/pin"
	"lull/subjects/spec"
)

// maxEnvFile is more than the variables of a task may take, in bytes.
const maxEnvFile = 256 << 10

// fillEnv reads the files that hold variables of the stages' tasks.
func fillEnv(ctx context.Context, doc *spec.Doc, folder string) error {
	for i := range doc.Stages {
		files := doc.Stages[i].EnvFile
		if files == nil {
			continue
		}
		env := map[string]string{}
		for _, name := range files {
			if !filepath.IsAbs(name) {
				name = filepath.Join(folder, name)
			}
			text, err := pin.Await(ctx, func() (string, error) { return readEnv(name) })
			if err == nil {
				err = parseEnv(name, text, env)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				return doc.FaultEnvFile(i, err)
			}
		}
		doc.FillEnv(i, env)
	}
	return nil
}

func readEnv(name string) (string, error) {
	f, err := pin.OpenRegular(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it is only read
	text, err := io.ReadAll(io.LimitReader(f, maxEnvFile+1))
	if err == nil && len(text) > maxEnvFile {
		err = fmt.Errorf("%s has more than %d bytes: variables of a task take less", name, maxEnvFile)
	}
	if err == nil && !utf8.Valid(text) {
		err = fmt.Errorf("%s is not UTF-8, so a job cannot carry it: write it in UTF-8", name)
	}
	return strings.TrimPrefix(string(text), spec.BOM), err
}

// parseEnv reads the variables of a text.
func parseEnv(file, text string, env map[string]string) error {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for n := 1; text != ""; {
		name, value, left, err := nextVariable(text)
		if err != nil {
			return fmt.Errorf("%s, line %d %w", file, n, err)
		}
		if err := spec.CheckVariable(name); err != nil {
			return fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		if name != "" {
			env[name] = value
		}
		n += strings.Count(text[:len(text)-len(left)], "\n")
		text = left
	}
	return nil
}
