import { describe, expect, it } from 'vitest'
import {
  type ContextSessionOptions,
  type Message,
  placeSummary,
  type StoredProjection,
} from '../../src/index.ts'
import { compress, open } from './doubles.ts'
import { assistant, system, talk, texts, user } from './talk.ts'

const HISTORY = talk(6)
const LATER = [...HISTORY, assistant('So far so good.'), user('and then?')]

/** A stored projection, as it comes back from a disk. */
async function keep(history: readonly Message[] = HISTORY): Promise<StoredProjection> {
  const { session } = open()
  await session.prepare(history)
  await session.compact()
  return JSON.parse(JSON.stringify(session.stored))
}

const resume = (restored: unknown, options: Partial<ContextSessionOptions<Record<string, unknown>>> = {}) =>
  open({}, { restored: restored as StoredProjection, ...options })

describe('a session that goes on in another process', () => {
  it('begins with the last compaction and what was said since, and counts on', async () => {
    const stored = await keep()
    const { session } = resume(stored)
    const { messages, origins, warnings } = await session.prepare(LATER)
    expect(texts(messages)).toEqual(['Be exact.', 'SUMMARY', ...texts(LATER.slice(13))])
    expect(origins.at(-1)).toEqual({ from: 'transcript', index: 15, whole: true })
    expect(warnings).toEqual([])
    expect(session.stored).toBe(stored)
    expect(stored.compactions).toBe(1)
    await session.compact()
    expect(session.stored?.compactions).toBe(2)
  })

  it('hands the engine the summary, and tells it all that was said', async () => {
    const given: string[][] = []
    const ingested: number[] = []
    const { session } = open(
      {
        async ingest({ messages }) {
          ingested.push(messages.length)
          return []
        },
        async compress(call) {
          given.push(texts(call.messages))
          return compress(call)
        },
      },
      { restored: await keep() },
    )
    await session.prepare(LATER)
    await session.compact()
    expect(ingested).toEqual([LATER.length])
    expect(given).toEqual([['Be exact.', 'SUMMARY', ...texts(LATER.slice(13))]])
  })

  it('shows another system prompt, with the note that the engine put behind the old one', async () => {
    const noted = open({
      async compress(call) {
        const [first, ...rest] = call.messages
        const prompt = { ...first, content: `${first?.content}\n\n[compacted]` } as Message
        const messages = placeSummary({ head: [prompt], summary: 'x', tail: rest.slice(-1) })
        return { ...(await compress(call)), messages, changedFrom: 0 }
      },
    }).session
    await noted.prepare(HISTORY)
    expect((await noted.compact()).outcome).toBe('compacted')
    const { session } = resume(noted.stored)
    const { messages, warnings } = await session.prepare([system('Be brief.'), ...LATER.slice(1)])
    expect(warnings).toEqual([])
    expect(texts(messages)[0]).toBe('Be brief.\n\n[compacted]')
    expect(messages.at(-1)).toEqual(user('and then?'))
  })
})

describe('what does not fit is ignored with a warning', () => {
  const cases: [string, (stored: StoredProjection) => unknown, Message[]][] = [
    ['another conversation', (stored) => stored, [system('Be exact.'), ...talk(9).slice(3)]],
    ['a shorter conversation', (stored) => stored, HISTORY.slice(0, 3)],
    ['an edited tail', (stored) => stored, [...HISTORY.slice(0, -1), user('not that')]],
    ['nothing', () => ({}), LATER],
    ['a text', () => 'damaged', LATER],
    ['messages that are none', (stored) => ({ ...stored, messages: [null, 5, {}] }), LATER],
    ['no list', (stored) => ({ ...stored, messages: 5 }), LATER],
    ['no origins', ({ origins: _, ...stored }) => stored, LATER],
    ['a count that is none', (stored) => ({ ...stored, covered: -1 }), LATER],
    [
      'a broken law',
      (stored) => ({ ...stored, messages: stored.messages.slice(0, 2), origins: stored.origins.slice(0, 2) }),
      LATER,
    ],
  ]
  it.each(cases)('%s', async (_, damage, history) => {
    const { session } = resume(damage(await keep()))
    const { messages, warnings } = await session.prepare(history)
    expect(texts(messages)).toEqual(texts(history))
    expect(warnings.map(({ code }) => code)).toEqual(['restored-ignored'])
    expect((await session.prepare(history)).warnings).toEqual([])
  })
})
