import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type AssistantMessage, checkSequence, type Message, redactSecrets } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { beforeAll, describe, expect, it } from 'vitest'

const RECORDER = fileURLToPath(new URL('../recorder/record.ts', import.meta.url))
const SESSION = fileURLToPath(new URL('../sessions/ledger.jsonl', import.meta.url))

let messages: Message[]
beforeAll(() => {
  const lines = readFileSync(SESSION, 'utf8').trimEnd().split('\n')
  messages = lines.map((line) => JSON.parse(line) as Message)
})

const textAt = (index: number) => String(messages[index]?.content ?? '')
const find = (text: string) => messages.findIndex((_, index) => textAt(index).includes(text))
const findLast = (text: string) => messages.findLastIndex((_, index) => textAt(index).includes(text))
const withCalls = (atLeast: number) =>
  messages.filter(
    (message): message is AssistantMessage =>
      message.role === 'assistant' && (message.tool_calls?.length ?? 0) >= atLeast,
  )

describe('the bundled session', () => {
  it('is what the recorder records, byte for byte', { timeout: 300_000 }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [RECORDER, '--check'], {
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'the recording is the committed session, byte for byte\n',
      stderr: '',
    })
  })

  it('is as long as a real afternoon', () => {
    const tokens = createTokenCounter()
    expect(messages.length).toBeGreaterThanOrEqual(420)
    expect(messages.filter(({ role }) => role === 'user').length).toBeGreaterThanOrEqual(40)
    expect(messages.reduce((sum, message) => sum + tokens.countMessage(message), 0)).toBeGreaterThan(160_000)
    expect(statSync(SESSION).size).toBeLessThan(2_000_000)
  })

  it('is a valid conversation that ends with an answer', () => {
    expect(checkSequence(messages)).toEqual([])
    const neighbours = messages.map(({ role }, index) => [messages[index - 1]?.role, role].join(' '))
    expect(neighbours.filter((pair) => pair === 'user user' || pair === 'assistant assistant')).toEqual([])
    expect(messages.at(-1)?.role).toBe('assistant')
  })

  it('has parallel calls and outputs of thousands of tokens', () => {
    const tokens = createTokenCounter()
    expect(withCalls(2).length).toBeGreaterThanOrEqual(30)
    expect(withCalls(4).length).toBeGreaterThanOrEqual(10)
    const long = messages.filter((message) => message.role === 'tool' && tokens.countMessage(message) > 4_000)
    expect(long.length).toBeGreaterThanOrEqual(8)
  })

  it('changes its first decision, and the later one stands in what is written down at the end', () => {
    const decided = find('Decision: the JSONL journal')
    const changed = find('We switch from the JSONL journal to SQLite')
    expect(messages[decided]?.role).toBe('user')
    expect(messages[changed]?.role).toBe('user')
    expect(changed - decided).toBeGreaterThan(200)
    const written = withCalls(1).findLast(({ tool_calls }) =>
      JSON.stringify(tool_calls).includes('docs/decisions.md'),
    )
    expect(written).toBeDefined()
    expect(JSON.stringify(messages)).toContain('*was: a JSONL journal*')
  })

  it('sees an error near its start and fixes it hundreds of messages later', () => {
    const failed = find('✖ Tokyo agrees with its statement for March')
    const fixed = find('✔ Tokyo agrees with its statement for March')
    expect(messages[failed]?.role).toBe('tool')
    expect(messages[fixed]?.role).toBe('tool')
    expect(fixed - failed).toBeGreaterThan(300)
    expect(textAt(findLast('# fail '))).toMatch(/^# fail 0$/m)
  })

  it('asks about something that was decided hundreds of messages before', () => {
    const asked = find('Why do we import in batches of 200')
    expect(messages[asked]?.role).toBe('user')
    expect(asked - find('Post in batches of 200 rows')).toBeGreaterThan(250)
  })

  it('has other scripts, an emoji, a missing file, a missing program and a planted secret', () => {
    expect(
      messages.some((message, index) => message.role === 'user' && /\p{Script=Han}/u.test(textAt(index))),
    ).toBe(true)
    expect(
      messages.some(
        (message, index) => message.role === 'user' && /\p{Emoji_Presentation}/u.test(textAt(index)),
      ),
    ).toBe(true)
    expect(find('error: no such file')).toBeGreaterThan(0)
    expect(find('command not found\n[exit 127]')).toBeGreaterThan(0)
    const planted = textAt(find('BANK_API_TOKEN=tok_live_EXAMPLE'))
    expect(redactSecrets(planted)).not.toContain('tok_live_EXAMPLE')
  })

  it('says nothing about the machine that recorded it', () => {
    const traces =
      /palimpsest-recorder-|duration_ms|node:[\w/]+:\d|Node\.js v\d+\.|file:\/\/\/(?!workspace\/)/
    expect(messages.filter((message) => traces.test(JSON.stringify(message)))).toEqual([])
  })
})
