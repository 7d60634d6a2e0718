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

// parseEnv reads lines of NAME=value. Empty lines and those that begin with # say nothing; a
// value may stand in quotes, and `export` before the name.
func parseEnv(file, text string, env map[string]string) error {
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return fmt.Errorf("%s, line %d is not a variable: write NAME=value", file, n+1)
		}
		if err := spec.CheckVariable(name); err != nil {
			return fmt.Errorf("%s, line %d: %w", file, n+1, err)
		}
		env[name] = unquoted(value)
	}
	return nil
}

func unquoted(value string) string {
	for _, quote := range []string{`"`, "'"} {
		if len(value) > 1 && strings.HasPrefix(value, quote) && strings.HasSuffix(value, quote) {
			return value[1 : len(value)-1]
		}
	}
	return value
}
