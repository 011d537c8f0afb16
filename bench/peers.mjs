// Times curlconverter, the best-known peer, for peers.sh.
//   node peers.mjs commands     the commands to compare, as a JSON array
//   node peers.mjs lines N [T]  N lines of NDJSON, the commands over and over; with T,
//                               they ask for code of that target
//   node peers.mjs time FILE    µs a command, over the commands of FILE
//   node peers.mjs batch [F]    answers NDJSON on standard input, as uncoil batch does,
//                               with JSON or by the function F, such as toPython
//   node peers.mjs npm FILE DIR both in this process, in turns: the commands of FILE, and
//                               the npm package of uncoil in DIR
import { readFileSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import * as curlconverter from 'curlconverter'

// The commands come from documentation, in the file that UNCOIL_COMMANDS names (a line of
// JSON each, with id and curl), or else from the corpus.
function commands() {
  const recorded = process.env.UNCOIL_COMMANDS
  if (recorded) {
    return readFileSync(recorded, 'utf8').trim().split('\n').map(line => JSON.parse(line))
      .filter(c => c.id.startsWith('docs/')).map(c => c.curl)
  }
  return readdirSync('testdata/corpus', { recursive: true }).filter(name => name.endsWith('.txtar')).sort()
    .map(name => readFileSync('testdata/corpus/' + name, 'utf8').split(/^-- .* --\n/m)[1])
}

function printLines(n, target) {
  const list = commands()
  const code = target && { as: 'code', target }
  let lines = ''
  for (let i = 0; i < n; i++) {
    lines += JSON.stringify({ id: i, curl: list[i % list.length], ...code }) + '\n'
    if (i % 1000 === 999) {
      process.stdout.write(lines)
      lines = ''
    }
  }
  process.stdout.write(lines)
}

function convert(command, write = curlconverter.toJsonString) {
  try {
    return { result: write(command) }
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

async function batch(write) {
  let out = []
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, curl } = JSON.parse(line)
    out.push(JSON.stringify({ id, ...convert(curl, write) }))
    if (out.length === 1000) {
      process.stdout.write(out.join('\n') + '\n')
      out = []
    }
  }
  process.stdout.write(out.join('\n') + '\n')
}

// Both packages write JSON text, and each round has both, so that other work on
// the machine slows both.
async function inTurns(file, dir) {
  const { load } = await import(dir + '/dist/index.mjs')
  const engine = await load()
  const ways = { uncoil: command => engine.convertText(command), curlconverter: curlconverter.toJsonString }
  const both = JSON.parse(readFileSync(file, 'utf8')).filter(command => {
    try {
      return Object.values(ways).every(way => way(command))
    } catch {
      return false // what one of them refuses is not compared
    }
  })
  const names = ['accept', 'accept-language', 'origin', 'priority', 'referer', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-fetch-dest', 'sec-fetch-mode', 'user-agent']
  const sets = {
    documentation: both,
    short: Array(100).fill('curl https://api.example.com/v1/items'),
    'a request of a browser': Array(20).fill(`curl 'https://shop.example.com/cart?lang=en' -X PUT -b 'session=8f14e45f' --data-raw '{"item":42}'` +
      names.map(name => ` -H '${name}: ${'some value, '.repeat(4)}'`).join('')),
    '16 kB of content': [`curl -d '${JSON.stringify(Array(500).fill({ id: 1, name: 'a lamp', tags: ['a'] }))}' https://api.example.com`],
  }
  for (const [name, commands] of Object.entries(sets)) {
    const spent = { uncoil: [], curlconverter: [] }
    for (let round = 0; round < 60; round++) {
      for (const who of Object.keys(ways)) {
        const start = process.hrtime.bigint()
        for (const command of commands) ways[who](command)
        if (round >= 20) spent[who].push(Number(process.hrtime.bigint() - start) / 1000 / commands.length)
      }
    }
    const [own, peer] = Object.values(spent).map(times => times.sort((a, b) => a - b)[times.length >> 1])
    console.log(`npm, ${name}: uncoil ${own.toFixed(0)} µs a command, curlconverter ${peer.toFixed(0)} µs, ${(peer / own).toFixed(1)} times`)
  }
}

const [mode, argument, second] = process.argv.slice(2)
switch (mode) {
  case 'commands':
    console.log(JSON.stringify(commands()))
    break
  case 'lines':
    printLines(Number(argument), second)
    break
  case 'time':
    time(argument)
    break
  case 'batch':
    await batch(curlconverter[argument])
    break
  case 'npm':
    await inTurns(argument, second)
}
