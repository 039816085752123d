import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { sharedValue } from '../../scripts/share-value.ts'
import type { Fixture } from '../fixture.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'
import { mustRun } from '../run-command.ts'
import { environmentOf } from '../user-environment.ts'

const fixture = await sharedValue<Fixture>(inject('fixture'))
const folder = join(fixture.folder, 'nextjs-chat')
const WINDOW_TOKENS = 8_000

/** A browser: `useChat` is this class in a component. It prints the answers. */
const BROWSER = `import { Chat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'

const [, , url, id, ...texts] = process.argv
const transport = new DefaultChatTransport({
  api: url + '/api/chat',
  prepareSendMessagesRequest: ({ id, messages }) => ({ body: { id, message: messages.at(-1) } }),
})
const chat = new Chat({ id, transport })
const answers = []
for (const text of texts) {
  await chat.sendMessage({ text })
  if (chat.error) throw chat.error
  answers.push(chat.messages.at(-1).parts.map((part) => part.text ?? '').join(''))
}
console.log(JSON.stringify(answers))
`

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** The requests that the model got, each with its size in tokens, at four characters each. */
const requests: (ChatRequest & { readonly tokens: number })[] = []

/** Notes what it is told; asked for something, it searches, and says what it found. */
function answerTo({ messages }: ChatRequest): object {
  const last = messages.at(-1)
  const text = JSON.stringify(last?.content)
  if (last?.role === 'tool') return { content: text.match(/We store everything in \w+/)?.[0] ?? 'Nothing.' }
  if (!text.includes('Which database')) return { content: `Noted: ${text.match(/Note \d+/)}.` }
  const call = { name: 'lcm_grep', arguments: JSON.stringify({ query: 'everything' }) }
  return { content: null, tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: call }] }
}

const model = createServer(async (incoming, outgoing) => {
  const body = Buffer.concat(await incoming.toArray()).toString('utf8')
  const request: ChatRequest = JSON.parse(body)
  const tokens = Math.ceil(body.length / 4)
  requests.push({ ...request, tokens })
  const delta = { role: 'assistant', ...answerTo(request) }
  const finish_reason = 'tool_calls' in delta ? 'tool_calls' : 'stop'
  const usage = { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 }
  outgoing.setHeader('content-type', 'text/event-stream')
  const choices = [{ index: 0, delta }]
  for (const chunk of [
    { choices },
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage },
  ])
    outgoing.write(`data: ${JSON.stringify({ id: 'x', created: 1, model: 'm', ...chunk })}\n\n`)
  outgoing.end('data: [DONE]\n\n')
})

const env = () => ({
  ...environmentOf(fixture.user, folder),
  NEXT_TELEMETRY_DISABLED: '1',
  OPENAI_API_KEY: 'the key of the user',
  OPENAI_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
  CONTEXT_LENGTH: String(WINDOW_TOKENS),
})

let server: ChildProcess | undefined
let printed = ''

/** Starts the application and returns its address. */
async function start(): Promise<string> {
  const next = join('node_modules', 'next', 'dist', 'bin', 'next')
  const child = spawn('node', [next, 'start', '-p', '0', '-H', '127.0.0.1'], { cwd: folder, env: env() })
  server = child
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const from = printed.length
  for (;;) {
    const said = printed.slice(from)
    const url = said.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
    if (url !== undefined && said.includes('Ready')) return url
    if (child.exitCode !== null) throw new Error(`next start ended with ${child.exitCode}:\n${said}`)
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  }
}

async function stop(): Promise<void> {
  if (server === undefined || server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}

const say = async (url: string, id: string, ...texts: string[]): Promise<string[]> =>
  JSON.parse((await mustRun('node', ['browser.mjs', url, id, ...texts], { cwd: folder, env: env() })).stdout)

beforeAll(async () => {
  const ours = ['node_modules', '.next', 'data']
  await cp(join(REPOSITORY_ROOT, 'examples', 'nextjs-chat'), folder, {
    recursive: true,
    filter: (path) => !ours.includes(basename(path)),
  })
  await writeFile(join(folder, 'browser.mjs'), BROWSER)
  model.listen(0, '127.0.0.1')
  await once(model, 'listening')
  // npm takes 12 seconds of a processor longer; conflicts of peers fail with both.
  await writeFile(
    join(folder, 'pnpm-workspace.yaml'),
    'allowBuilds:\n  sharp: false\nstrictPeerDependencies: true\n',
  )
  await mustRun('pnpm', ['install'], { cwd: folder, env: env() })
  await mustRun('npm', ['run', 'build'], { cwd: folder, env: env() })
})

afterEach(stop)
afterAll(() => {
  model.close()
})

it('keeps a chat of the Next.js example in the window and whole on the disk, over a restart', async () => {
  const id = randomUUID()
  requests.length = 0
  const notes = Array.from({ length: 20 }, (_, turn) => {
    const note = turn === 2 ? 'We store everything in Postgres.' : 'the ledger counts in cents. '.repeat(40)
    return `Note ${turn}: ${note}`
  })
  const answers = await say(await start(), id, ...notes)
  expect(answers[19]).toBe('Noted: Note 19.')
  // Of 40 messages and the instructions.
  expect(requests.at(-1)?.messages.length).toBeLessThan(30)
  await stop()

  // Another process, and a browser that knows nothing but the chat's name.
  const url = await start()
  expect(await say(url, id, 'Which database?', 'Note 21')).toEqual([
    'We store everything in Postgres',
    'Noted: Note 21.',
  ])
  expect(Math.max(...requests.map(({ tokens }) => tokens))).toBeLessThan(WINDOW_TOKENS)

  const stored = JSON.parse(await readFile(join(folder, 'data', `${id}.json`), 'utf8'))
  expect(stored).toHaveLength(44)
  const texts = stored.map(({ parts }: { parts: { text?: string }[] }) =>
    parts.map(({ text = '' }) => text).join(''),
  )
  expect(texts.filter((_: string, index: number) => index % 2 === 0)).toEqual([
    ...notes,
    'Which database?',
    'Note 21',
  ])
  const page = await (await fetch(`${url}/?chat=${id}`)).text()
  expect(page).toContain('We store everything in Postgres.')
  expect(page).toContain('Noted: Note 19.')
  // Neither a warning of the engine's nor an error.
  expect(printed.split('\n').filter((line) => /warn|error|edited|⚠|⨯/i.test(line))).toEqual([])
  await expect(
    fetch(`${url}/api/chat`, { method: 'POST', body: JSON.stringify({ id: '../x', message: {} }) }),
  ).resolves.toHaveProperty('ok', false)
})
