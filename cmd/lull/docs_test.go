package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// codeSpan matches a command between backticks, also one that goes on in the next line.
var codeSpan = regexp.MustCompile("`(?:sudo )?(lull [^`]+)`")

// shellLine matches a command at the beginning of a line of a code block.
var shellLine = regexp.MustCompile(`^\s*(?:\$ )?(?:sudo )?(?:[A-Z_]+=\S+ )*(lull .+)$`)

// lineEnd matches what follows a command in its line: a comment, a redirection, another command.
var lineEnd = regexp.MustCompile(`\s+(#|[|<>&;]|2>).*$`)

// documented returns the lull commands that a page of Markdown shows.
func documented(page string) []string {
	var commands, prose []string
	block := false
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			block = !block
			prose = append(prose, "")
		case !block:
			prose = append(prose, line)
		default:
			if m := shellLine.FindStringSubmatch(line); m != nil {
				commands = append(commands, lineEnd.ReplaceAllString(m[1], ""))
			}
		}
	}
	for _, m := range codeSpan.FindAllStringSubmatch(strings.Join(prose, "\n"), -1) {
		commands = append(commands, lineEnd.ReplaceAllString(strings.Join(strings.Fields(m[1]), " "), ""))
	}
	return commands
}

// checkCommand returns an error if the command or one of its flags does not exist.
func checkCommand(line string) error {
	words := strings.Fields(line)[1:]
	if len(words) > 1 && words[0] == "help" {
		words = words[1:] // a command, or a topic
	}
	cmd, rest := root(), words
	cmd.InitDefaultCompletionCmd(words...)
	for len(rest) > 0 {
		next := subcommand(cmd, rest[0])
		if next == nil {
			break
		}
		cmd, rest = next, rest[1:]
	}
	if !cmd.HasParent() {
		return errors.New("no such command")
	}
	cmd.InitDefaultHelpFlag()
	for _, word := range rest {
		if word == "--" {
			return nil // what follows is another program's
		}
		name, long := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		short, isShort := strings.CutPrefix(word, "-")
		switch {
		case long && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil:
			return fmt.Errorf("%s has no flag --%s", cmd.CommandPath(), name)
		case !long && isShort && len(short) == 1 && cmd.Flags().ShorthandLookup(short) == nil:
			return fmt.Errorf("%s has no flag -%s", cmd.CommandPath(), short)
		}
	}
	// An option's value may follow it, so only a word before the options can be a wrong command.
	if cmd.HasSubCommands() && cmd.Args != nil && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return cmd.Args(cmd, rest[:1])
	}
	return nil
}

func subcommand(cmd *cobra.Command, name string) *cobra.Command {
	for _, sub := range cmd.Commands() {
		if sub.Name() == name || sub.HasAlias(name) {
			return sub
		}
	}
	return nil
}

// The pages show only commands and flags that this binary has.
func TestDocumentedCommandsExist(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range documented(string(text)) {
			seen++
			if err := checkCommand(line); err != nil {
				t.Errorf("checkCommand(%q) of %s = %v, want no error", line, filepath.Base(page), err)
			}
		}
	}
	if seen < 50 {
		t.Errorf("found %d commands in the pages, want at least 50: the test no longer reads them", seen)
	}
}

func TestCheckCommandRefusesWhatDoesNotExist(t *testing.T) {
	page := "Use `lull jobs\n--nonesuch`.\n```\nlull nonesuch  # a comment\n$ lull queue nonesuch NAME\nlull doctor --measure | less\n```\n"
	got := documented(page)
	if len(got) != 4 {
		t.Fatalf("documented(%q) = %q, want four commands", page, got)
	}
	for _, line := range got {
		if err := checkCommand(line); (err == nil) != strings.HasPrefix(line, "lull doctor") {
			t.Errorf("checkCommand(%q) = %v, want an error unless it is lull doctor", line, err)
		}
	}
}

// TestTroubleshootingQuotesMessages finds each heading of the page in the program's texts.
func TestTroubleshootingQuotesMessages(t *testing.T) {
	page, err := os.ReadFile("../../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	var texts strings.Builder
	err = filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		texts.Write(source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	quoted := 0
	for line := range strings.Lines(string(page)) {
		if message, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			quoted++
			if !strings.Contains(texts.String(), message) {
				t.Errorf("heading of troubleshooting.md = %q, want a part of a message in the source", message)
			}
		}
	}
	if quoted == 0 {
		t.Error("headings of troubleshooting.md = 0, want at least 1")
	}
}
