import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from './test-gateway.ts'

/** Milliseconds of processor time that this thread takes for some work. */
function cost(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** Watches the turns of the event loop: the processor time of the longest, and of all. */
function watchTurns() {
  let last = process.threadCpuUsage()
  let isOver = false
  const found = { longest: 0, all: 0 }
  const look = () => {
    const now = process.threadCpuUsage()
    const turn = (now.user + now.system - last.user - last.system) / 1_000
    found.longest = Math.max(found.longest, turn)
    found.all += turn
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    isOver = true
    look()
    return found
  }
}

/** A server that reads nothing of what it is sent. */
async function startDeafUpstream(): Promise<string> {
  const answer = JSON.stringify({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } }],
  })
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json').end(request.method === 'GET' ? '{}' : answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

type Said = { readonly role: string; readonly content: string }

const WORDS = 'the quick brown fox jumps over a lazy dog while const value = await fetch(url)\n'.split(' ')
const text = (length: number) =>
  Array.from({ length: length / 5 }, (_, index) => WORDS[(index * 7 + (index >> 4)) % WORDS.length])
    .join(' ')
    .slice(0, length)
const turns = (count: number, content: (index: number) => string): Said[] =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: content(index),
  }))

async function load(engine: string, messages: readonly Said[]) {
  const { gateway } = await startTestGateway({ baseUrl: await startDeafUpstream(), engine })
  const bodyOf = (list: readonly Said[]) => JSON.stringify({ model: 'm', messages: list })
  const ask = async (body: string) => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/v1/chat/completions', { method: 'POST', headers, body })
    const answer = await gateway.fetch(request)
    expect(answer.status).toBe(200)
    await answer.text()
  }
  await ask(bodyOf(turns(1, () => 'warm up')))
  const body = bodyOf(messages)
  // The floor: parsing the body and writing it again.
  const floor = Math.max(...[1, 2, 3].map(() => cost(() => JSON.stringify(JSON.parse(body)))))
  const stop = watchTurns()
  await ask(body)
  const { longest, all } = stop()
  return { longest: longest / floor, all: all / floor }
}

/** Turns of the loop beside that: a collection of garbage may fall into one. */
const MOST = 6

beforeAll(
  () =>
    void load(
      'compressor',
      turns(1, () => 'compile'),
    ),
)

test.each(['compressor', 'lcm', 'decisions'])(
  'a message of 30 MB holds others up about as long as reading and writing it does, with %s',
  async (engine) => {
    const { longest } = await load(engine, [{ role: 'user', content: text(30_000_000) }])
    expect(longest).toBeLessThan(MOST)
  },
)

test.each(['compressor', 'lcm', 'decisions'])(
  '100,000 messages at once take linear time in slices, with %s',
  async (engine) => {
    const few = await load(
      engine,
      turns(25_000, (index) => `m${index}`),
    )
    const many = await load(
      engine,
      turns(100_000, (index) => `m${index}`),
    )
    expect(many.longest).toBeLessThan(MOST)
    expect(many.all).toBeLessThan(2 * few.all)
  },
)
