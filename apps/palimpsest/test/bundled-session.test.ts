import { readFileSync } from 'node:fs'
import { checkSequence, type Message, redactSecrets, toolCallsOf } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { expect, it } from 'vitest'

const session = readFileSync(new URL('../sessions/ledger.jsonl', import.meta.url), 'utf8')
const messages = session
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Message)

/** The first message that has a text. */
const find = (text: string) => messages.findIndex(({ content }) => String(content).includes(text))

it('the bundled session is a valid conversation, as long as a real afternoon, with work in parallel', () => {
  expect(checkSequence(messages)).toEqual([])
  expect(messages.at(-1)?.role).toBe('assistant')
  const { countMessage } = createTokenCounter()
  const sizes = messages.map(countMessage)
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(160_000)
  expect(messages.filter((message) => toolCallsOf(message).length >= 4).length).toBeGreaterThanOrEqual(10)
  const long = messages.filter(({ role }, at) => role === 'tool' && (sizes[at] ?? 0) > 4_000)
  expect(long.length).toBeGreaterThanOrEqual(8)
})

it('the bundled session holds a planted secret, and nothing about the machine that recorded it', () => {
  const planted = String(messages[find('BANK_API_TOKEN=tok_live_EXAMPLE')]?.content)
  expect(redactSecrets(planted)).not.toContain('tok_live_EXAMPLE')
  expect(session).not.toMatch(/duration_ms|node:[\w/]+:\d|Node\.js v\d+\.|file:\/\/\/(?!workspace\/)/)
})
