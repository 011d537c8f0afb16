// Times curlconverter, the best-known peer, for peers.sh.
//   node peers.mjs commands     the commands to compare, as a JSON array
//   node peers.mjs lines N      N lines of NDJSON, the commands over and over
//   node peers.mjs time FILE    µs a command, over the commands of FILE
//   node peers.mjs batch        answers NDJSON on standard input, as uncoil batch does
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { toJsonString } from 'curlconverter'

// The commands come from documentation, recorded next to the
// project, or else from the corpus.
function commands() {
  const recorded = '../shared/wire/cases.jsonl'
  if (existsSync(recorded)) {
    return readFileSync(recorded, 'utf8').trim().split('\n').map(line => JSON.parse(line))
      .filter(c => c.id.startsWith('docs/')).map(c => c.curl)
  }
  return readdirSync('testdata/corpus', { recursive: true }).filter(name => name.endsWith('.txtar')).sort()
    .map(name => readFileSync('testdata/corpus/' + name, 'utf8').split(/^-- .* --\n/m)[1])
}

function printLines(n) {
  const list = commands()
  let lines = ''
  for (let i = 0; i < n; i++) {
    lines += JSON.stringify({ id: i, curl: list[i % list.length] }) + '\n'
    if (i % 1000 === 999) {
      process.stdout.write(lines)
      lines = ''
    }
  }
  process.stdout.write(lines)
}

function convert(command) {
  try {
    return { result: toJsonString(command) }
  } catch (error) {
    return { error: String(error) }
  }
}

function time(file) {
  const commands = JSON.parse(readFileSync(file, 'utf8'))
  for (const command of commands) convert(command) // warm up
  let rounds = 0
  const start = process.hrtime.bigint()
  const end = start + 2_000_000_000n
  while (process.hrtime.bigint() < end) {
    for (const command of commands) convert(command)
    rounds++
  }
  const spent = Number(process.hrtime.bigint() - start) / 1000
  console.log((spent / rounds / commands.length).toFixed(3))
}

async function batch() {
  let out = []
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, curl } = JSON.parse(line)
    out.push(JSON.stringify({ id, ...convert(curl) }))
    if (out.length === 1000) {
      process.stdout.write(out.join('\n') + '\n')
      out = []
    }
  }
  process.stdout.write(out.join('\n') + '\n')
}

const [mode, argument] = process.argv.slice(2)
switch (mode) {
  case 'commands':
    console.log(JSON.stringify(commands()))
    break
  case 'lines':
    printLines(Number(argument))
    break
  case 'time':
    time(argument)
    break
  case 'batch':
    await batch()
}
