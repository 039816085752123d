import type { Message, Warning } from '@palimpsest/core'
import { describe, expect, it, vi } from 'vitest'
import { BEGINNING, readNewMessages } from '../../src/engine/read-new-messages.ts'
import { talkWith } from './harness.ts'

const LONG = "We use Postgres for the database. Let's use Redis for the cache. We use Kafka for the queue."
const talk: readonly Message[] = [
  { role: 'user', content: 'We use Biome for linting.' },
  { role: 'assistant', content: 'Noted.' },
  { role: 'user', content: LONG },
  { role: 'user', content: 'We use Vitest for tests.' },
]
const start = { from: 7, newFrom: 7, worthFrom: 7, state: BEGINNING }

/** A clock that goes on by some milliseconds with each look. */
const slow = (step: number, begin = 0) => {
  let now = begin
  return () => (now += step)
}

describe('a message whose reading takes too long', () => {
  it('is given up as a whole, and those around it are read', async () => {
    // A message of one sentence looks at the clock three times, that of three sentences seven times.
    const { candidates, givenUp, sources } = await readNewMessages(talk, start, slow(60))
    expect(givenUp).toEqual([9])
    expect(sources.map(({ message }) => message)).toEqual([7, 8, 9, 10])
    expect(candidates.map(({ span }) => span.message)).toEqual([7, 10])
    const quick = await readNewMessages(talk, start, slow(1))
    expect(quick.givenUp).toEqual([])
    expect(new Set(quick.candidates.map(({ span }) => span.message))).toEqual(new Set([7, 9, 10]))
  })

  it('is named once, with the next compaction', async () => {
    const { session } = talkWith()
    const history: Message[] = [
      ...talk,
      ...Array.from({ length: 60 }, (_, turn): Message[] => [
        { role: 'user', content: `Question ${turn}` },
        { role: 'assistant', content: 'word '.repeat(300) },
      ]).flat(),
    ]
    const milliseconds = slow(60)
    const clocks = [
      vi.spyOn(performance, 'now').mockImplementation(slow(60, performance.now())),
      vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: milliseconds() * 1_000, system: 0 })),
    ]
    await session.prepare(talk)
    for (const clock of clocks) clock.mockRestore()
    const told = ({ warnings }: { readonly warnings: readonly Warning[] }) =>
      warnings.filter(({ code }) => code === 'reading-given-up').map(({ message }) => message)
    const prepared = await session.prepare(history)
    expect(prepared.compactions.map(({ outcome }) => outcome)).toEqual(['compacted'])
    expect(told(prepared)).toEqual([
      'the rules did not read message 2 to its end in time; no decision is taken from it',
    ])
    expect(told(await session.compact())).toEqual([])
    await session.end()
  })
})
