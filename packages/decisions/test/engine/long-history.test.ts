import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { BEGINNING, readNewMessages } from '../../src/engine/read-new-messages.ts'

const start = { from: 0, newFrom: 0, state: BEGINNING }
/** More than eight million characters. */
const output: readonly Message[] = Array.from({ length: 90 }, (_, index) => ({
  role: 'tool',
  tool_call_id: `c${index}`,
  content: 'word '.repeat(20_000),
}))

describe('a history of many windows that comes at once', () => {
  it('is read for what the user says and accepts, and at its end for what the assistant proposes', async () => {
    const talk: readonly Message[] = [
      { role: 'assistant', content: 'I suggest Kafka for the queue.' },
      { role: 'user', content: 'We use Postgres for the database.' },
      { role: 'assistant', content: 'I suggest Redis for the cache.' },
      { role: 'user', content: 'Yes, do that.' },
    ]
    const kindsOf = async (list: readonly Message[]) =>
      (await readNewMessages(list, start)).candidates.map(({ kind, span }) => `${kind} ${span.message}`)
    const short = await kindsOf(talk)
    expect(short).toContain('propose 0')
    expect(short).toContain('assert 1')
    const long = await kindsOf([...talk, ...output, ...talk])
    expect(long).toEqual([
      ...short.filter((one) => !/^propose [02]$/.test(one)),
      ...short.map((one) => one.replace(/\d+$/, (at) => String(Number(at) + talk.length + output.length))),
    ])
    expect(long.length).toBeGreaterThan(short.length)
  })
})
