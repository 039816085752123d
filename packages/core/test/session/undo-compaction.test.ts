import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ContextSession,
  checkProjection,
  isInstruction,
  type Message,
  repairMessages,
} from '../../src/index.ts'
import { conversation } from '../arbitraries.ts'
import { counted } from '../counted.ts'
import { open } from './doubles.ts'
import { assistant, long, system, talk, texts, user } from './talk.ts'

const WINDOW = 10_000
const always = { shouldCompress: () => true }

/** A session whose first turns are compacted. */
async function compacted(history = talk(6)) {
  const { session, events } = open({}, { contextLength: WINDOW, modelName: 'claude-sonnet-5-5' })
  await session.prepare(history)
  await session.compact()
  return { session, events, history }
}

const answered = (history: readonly Message[], words = 'and then?') => [
  ...history,
  assistant('So far so good.'),
  user(words),
]
const shown = async (session: ContextSession, history: readonly Message[]) =>
  texts((await session.prepare(history)).messages)

describe('undoCompaction', () => {
  it('says what left by index and id, and puts it back with everything that was said since', async () => {
    const history = talk(3).map((message, index) => (index === 2 ? { ...message, id: 'a1' } : message))
    const { session, events } = await compacted(history)
    const left = [{ index: 1 }, { index: 2, id: 'a1' }, ...[3, 4, 5, 6].map((index) => ({ index }))]
    expect(session.lastCompaction).toEqual({ left })
    const later = answered(history)
    expect(await shown(session, later)).toEqual(['Be exact.', 'SUMMARY', ...texts(later.slice(7))])
    expect(await session.undoCompaction()).toEqual({ left })
    expect(events.at(-1)).toEqual({ type: 'undone', left })
    expect(await shown(session, later)).toEqual(texts(later))
    const { origins } = await session.prepare(later)
    expect(origins).toEqual(later.map((_, index) => ({ from: 'transcript', index, whole: true })))
  })

  it('undoes one compaction: a second time there is nothing left to undo', async () => {
    const { session } = await compacted()
    expect(session.lastCompaction).toBeDefined()
    await session.undoCompaction()
    expect(session.lastCompaction).toBeUndefined()
    expect(await session.undoCompaction()).toBeUndefined()
  })

  it('keeps the summary of the compaction before', async () => {
    const { session, history } = await compacted()
    const later = [...answered(history, long('more')), assistant(long('much more')), user('now')]
    const before = await shown(session, later)
    await session.compact()
    expect(session.lastCompaction?.left.map(({ index }) => index)).toEqual([13, 14, 15, 16])
    expect(await shown(session, later)).toEqual(['Be exact.', 'SUMMARY', 'now'])
    await session.undoCompaction()
    expect(await shown(session, later)).toEqual(before)
  })

  it('strips reasoning that was given behind the summary, and keeps what was given before', async () => {
    const thinking = (content: string): Message =>
      Object.assign(assistant(content), { reasoning: `why ${content}` })
    const history = [system('s'), user('a'), thinking('b'), user(long('c'))]
    const { session } = await compacted(history)
    const later = [...history, thinking('d'), user('e')]
    await session.prepare(later)
    await session.undoCompaction()
    const { messages } = await session.prepare(later)
    expect(messages).toEqual([...history, assistant('d'), user('e')])
  })
})

describe('after an undo', () => {
  it.each([
    ['a tenth of the window was said', 9, 'threshold'],
    ['the prompt is at the share of the safety net', 70, 'safety-net'],
  ])('nothing is compacted until %s', async (_, turns, trigger) => {
    const history = talk(turns)
    const { session, events } = open(always, { contextLength: WINDOW })
    const triggers = () => events.flatMap((event) => (event.type === 'compaction' ? [event.trigger] : []))
    await session.prepare(history)
    await session.undoCompaction()
    const count = triggers().length
    if (trigger === 'threshold') {
      expect(await shown(session, answered(history))).toHaveLength(history.length + 2)
      expect(triggers()).toHaveLength(count)
    }
    await session.prepare(answered(history, long('x'.repeat(trigger === 'threshold' ? 90 : 1))))
    expect(triggers().slice(count)[0]).toBe(trigger)
  })
})

describe('an edit of the history', () => {
  it('behind the compaction leaves the undo', async () => {
    const { session, history } = await compacted()
    await session.prepare(answered(history))
    const edited = answered(history, 'otherwise')
    await session.prepare(edited)
    await session.undoCompaction()
    expect(await shown(session, edited)).toEqual(texts(edited))
  })
})

it('leaves valid requests and the whole transcript, whatever the host does', async () => {
  const step = fc.record({
    keep: fc.nat(100),
    add: conversation({ maxTurns: 2 }),
    acts: fc.array(fc.constantFrom('compact', 'undo', 'look'), { maxLength: 4 }),
  })
  let undone = 0
  await counted(
    'invariants 1 to 4, compactions that are undone',
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (steps, compacts) => {
        const { session } = open({ shouldCompress: () => compacts }, { contextLength: 2_000 })
        let host: Message[] = []
        for (const { keep, add, acts } of steps) {
          const length = keep < 60 ? host.length : keep % (host.length + 1)
          const kept = repairMessages(host.slice(0, length)).messages
          const added = add.filter((message) => kept.length === 0 || !isInstruction(message))
          host = repairMessages([...kept, ...added]).messages
          for (const act of ['look', ...acts, 'look']) {
            if (act === 'compact') await session.compact()
            if (act === 'undo' && (await session.undoCompaction()) !== undefined) undone++
            if (act !== 'look') continue
            const { messages } = await session.prepare(host)
            const before = repairMessages(session.transcript).messages
            expect(checkProjection(messages, session.transcript, { before })).toEqual([])
            expect(JSON.stringify(session.transcript)).toBe(JSON.stringify(host))
          }
        }
      },
    ),
    300,
  )
  expect(undone).toBeGreaterThan(50)
})
