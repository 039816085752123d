import { createContextSession, type Message, messageText } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../../src/arms/arm.ts'
import { ENGINES } from '../../src/arms/engines.ts'

const FIRST = 'Build a ledger service for our shop; every amount is kept in cents.'
const REQUEST = 'do ticket 12'
const POINTS = ['Rounding is half-even', 'Fees go to FEE-77', 'Old rates are refused']
const TICKET = `# Ticket 12: currencies\n\nAcceptance criteria:\n${POINTS.map((point) => `- ${point}`).join('\n')}\n`

const user = (content: string): Message => ({ role: 'user', content })
const read = (id: string, path: string, content: string): Message[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } },
    ],
  },
  { role: 'tool', tool_call_id: id, content },
]
const rounds = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const name = `src/mod${from + at}.ts`
    return read(
      `r${from + at}`,
      name,
      `export const value${from + at} = compute(${at}) // ${name}\n`.repeat(25),
    )
  }).flat()

const MESSAGES: readonly Message[] = [
  { role: 'system', content: 'You are a careful engineer.' },
  user(FIRST),
  ...rounds(0, 12),
  { role: 'assistant', content: 'The service stands.' },
  user(REQUEST),
  ...read('ticket', 'tickets/12.md', TICKET),
  ...rounds(100, 100),
]

describe.each([8_000, 24_000])('what the user asked for, in a window of %i tokens', (contextLength) => {
  it.each(ENGINES)('stays in every projection of $name while 100 calls follow', async (arm) => {
    const { engine, options } = arm
    const session = createContextSession({ engine, options, contextLength, clock: fixedClock() })
    let compactions = 0
    for (const [index, message] of MESSAGES.entries()) {
      if (message.role !== 'assistant') continue
      const prepared = await session.prepare(MESSAGES.slice(0, index))
      compactions += prepared.compactions.length
      await session.observe({ message })
      const texts = prepared.messages.map(messageText)
      const all = texts.join('\n')
      expect(all).toContain(FIRST)
      if (index > MESSAGES.findIndex(({ content }) => content === REQUEST)) expect(texts).toContain(REQUEST)
      // In a small window a point may be cut.
      if (index > MESSAGES.findIndex(({ content }) => content === TICKET))
        for (const point of POINTS) expect(all).toContain(`- ${point.slice(0, 12)}`)
    }
    expect(compactions).toBeGreaterThan(1)
    await session.end()
  })
})
