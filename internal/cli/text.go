package cli

// The texts of uncoil help and of -h.

const overview = `Uncoil says which HTTP request a curl command would send.

Usage:

  uncoil 'curl …'                 convert a command: method, url, headers, data
  uncoil convert [flags] COMMAND  the same, with flags
  uncoil parse [flags] COMMAND    everything about the requests
  uncoil curl …                   convert a command that is typed bare
  uncoil batch [flags]            many commands: NDJSON in, NDJSON out
  uncoil serve [flags]            an HTTP service with the same answers
  uncoil version                  which build this is
  uncoil help SUBCOMMAND          how to use a subcommand

COMMAND is one argument, so it needs quotes; without it, or as -, it is read
from standard input. Nothing is sent, and no file is read but by -file and
-files.

Examples:

  uncoil 'curl -d a=1 https://example.com'
  uncoil curl -d a=1 https://example.com
  pbpaste | uncoil parse

The answer goes to standard output as JSON, an error to standard error.
Exit codes: 0; 1 the command could not be converted; 2 wrong use of uncoil.
`

const convertHelp = `Usage: uncoil convert [flags] [COMMAND | -]

Writes the one request that a curl command would send as JSON with four
members: method, url, headers and data. What they cannot say is an error.

Examples:

  uncoil convert 'curl -d a=1 https://example.com'
  uncoil convert -env TOKEN=t 'curl -H "Authorization: Bearer $TOKEN" https://example.com'
  uncoil convert -files . 'curl -d @body.json https://example.com'
  uncoil convert -shell cmd < copied.txt
`

const parseHelp = `Usage: uncoil parse [flags] [COMMAND | -]

Writes everything about the requests that curl commands would send as JSON:
header fields with the options that set them, bodies of any kind, options
that shape the exchange, and warnings.

Examples:

  uncoil parse 'curl -L https://example.com/[1-3]'
  uncoil parse -file photo.png=/tmp/a.png 'curl -F f=@photo.png https://example.com'
`

const bareHelp = `Usage: uncoil curl …

Converts a command that is typed bare, after the shell has split it: put
uncoil before any curl command. If the command reads its standard input, it
reads that of uncoil. There are no flags; see uncoil convert for those.

Examples:

  uncoil curl -X DELETE https://example.com/1
  uncoil curl -d @- https://example.com < body.json
`

const batchHelp = `Usage: uncoil batch [flags]

Reads a JSON object from each line of standard input and writes the answer
as a line to standard output, in the same order. A line in has a command in
curl, and may have id, as, files, stdin, env and shell; a line out has the id
and either result or error. A bad line gets an error and does not touch the
others, nor the exit code.

Examples:

  echo '{"id": 1, "curl": "curl https://example.com"}' | uncoil batch
  uncoil batch -as parse < commands.ndjson > requests.ndjson
`

const versionHelp = `Usage: uncoil version

Writes the version of uncoil, of Go, and the commit that it was built from.
`
