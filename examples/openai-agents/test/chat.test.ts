import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** Requests that the model got, as JSON texts. */
const requests: string[] = []

/** Notes what it is told. Asked for something, it searches, and says what it found. */
function answerTo({ messages }: ChatRequest): object {
  const last = messages.at(-1)
  const text = JSON.stringify(last?.content)
  if (last?.role === 'tool') return { content: text.match(/We store everything in \w+/)?.[0] ?? 'Nothing.' }
  if (!text.includes('Which database')) return { content: `Noted: ${text.slice(1, 8)}.` }
  const call = { name: 'lcm_grep', arguments: JSON.stringify({ query: 'everything' }) }
  return { content: null, tool_calls: [{ id: 'call-1', type: 'function', function: call }] }
}

const model = createServer(async (incoming, outgoing) => {
  const request = (await json(incoming)) as ChatRequest
  const text = JSON.stringify(request)
  requests.push(text)
  const tokens = Math.ceil(text.length / 4)
  const message = { role: 'assistant', ...answerTo(request) }
  const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop'
  const usage = { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 }
  outgoing.setHeader('content-type', 'application/json')
  outgoing.end(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason }], usage }))
})
model.listen(0, '127.0.0.1')
await once(model, 'listening')
const folder = await mkdtemp(join(tmpdir(), 'openai-agents-'))
after(async () => {
  model.close()
  await rm(folder, { recursive: true })
})

/** Says lines to the chat in a process of its own. Resolves to what it printed, line by line. */
async function say(lines: readonly string[]): Promise<string[]> {
  const chat = execFile('node', [fileURLToPath(new URL('../src/chat.ts', import.meta.url))], {
    cwd: folder,
    env: {
      ...process.env,
      OPENAI_API_KEY: 'the key of the user',
      OPENAI_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      CONTEXT_LENGTH: '8000',
    },
  })
  let printed = ''
  let errors = ''
  chat.stdout?.on('data', (text) => {
    printed += text
  })
  chat.stderr?.on('data', (text) => {
    errors += text
  })
  chat.stdin?.end(`${lines.join('\n')}\n`)
  const [code] = await once(chat, 'close')
  equal(code, 0, errors)
  return printed.trim().split('\n')
}

test('the chat stays in the window, keeps everything, and finds it after a restart', async () => {
  const notes = Array.from({ length: 30 }, (_, turn) => {
    const note = turn === 2 ? 'We store everything in Postgres.' : 'the ledger counts in cents. '.repeat(40)
    return `Note ${String(turn).padStart(2, '0')}: ${note}`
  })
  const noted = await say(notes)
  deepEqual([noted.length, noted.at(-1)], [30, 'Noted: Note 29.'])
  ok(!requests.at(-1)?.includes(notes[1]?.trim() ?? ''), 'the model no longer sees the beginning')

  deepEqual(await say(['Which database did we choose?']), ['We store everything in Postgres'])
  ok(Math.max(...requests.map((text) => text.length / 4)) < 8_000)
  const kept = await readFile(join(folder, 'chat.json'), 'utf8')
  for (const note of notes) ok(kept.includes(note.trim()))
})
