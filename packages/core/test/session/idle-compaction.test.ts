import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CompressCall, type CompressResult, checkProjection, type Message } from '../../src/index.ts'
import { conversation } from '../arbitraries.ts'
import { compress, open } from './doubles.ts'
import { assistant, system, texts, user } from './talk.ts'

const WINDOW = 10_000
const THRESHOLD = 500

/** A session that compacts while it is idle, with an engine that answers when the test says so. */
function slow(parts: object = {}) {
  const calls: { readonly call: CompressCall; finish(): Promise<void> }[] = []
  const opened = open(
    {
      thresholdTokens: THRESHOLD,
      shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens >= THRESHOLD,
      compress: (call) =>
        new Promise<CompressResult>((resolve) => {
          const finish = async () => {
            resolve(await compress(call))
            await new Promise((next) => setImmediate(next))
          }
          calls.push({ call, finish })
        }),
      ...parts,
    },
    { contextLength: WINDOW, compactAt: 'idle' },
  )
  const compactions = () =>
    opened.events.flatMap((event) => (event.type === 'compaction' ? [event.trigger] : []))
  return { ...opened, calls, compactions }
}

const over = [system('s'), user('a'.repeat(2_000)), assistant('b'.repeat(2_000)), user('c')]
const answered = (history: readonly Message[], name: string) => [
  ...history,
  assistant(`${name} answer`),
  user(`${name} question`),
]

it('goes on with the whole prompt and takes the compaction for the first request after its end', async () => {
  const { session, calls, compactions } = slow()
  expect(texts((await session.prepare(over)).messages)).toEqual(texts(over))
  const second = answered(over, 'second')
  expect(texts((await session.prepare(second)).messages)).toEqual(texts(second))
  expect(calls).toHaveLength(1)
  await calls[0]?.finish()
  expect(compactions()).toEqual([])
  const third = answered(second, 'third')
  const { messages, compactions: made } = await session.prepare(third)
  expect(texts(messages)).toEqual(['s', 'SUMMARY', ...texts(third.slice(3))])
  expect(made.map(({ outcome }) => outcome)).toEqual(['compacted'])
  expect(compactions()).toEqual(['threshold'])
  await session.undoCompaction()
  expect(texts((await session.prepare(third)).messages)).toEqual(texts(third))
})

it('waits when the request would fill 85 % of the window', async () => {
  const { session, calls } = slow()
  await session.prepare(over)
  const full = [...over, assistant('x'.repeat(WINDOW * 4)), user('next')]
  const request = session.prepare(full)
  await new Promise((next) => setTimeout(next, 20))
  await calls[0]?.finish()
  await calls[1]?.finish()
  const { messages, compactions } = await request
  expect(texts(messages)).toEqual(['s', 'SUMMARY', 'next'])
  expect(compactions.length).toBe(calls.length)
})

it.each([
  [
    'an edit of what it compacts',
    (s: ReturnType<typeof slow>) => s.session.prepare(over.with(1, user('z'.repeat(2_000)))),
  ],
  ['a reset', (s: ReturnType<typeof slow>) => s.session.reset()],
  ['the end', (s: ReturnType<typeof slow>) => s.session.end()],
] as const)('is stopped by %s', async (_, change) => {
  const opened = slow()
  await opened.session.prepare(over)
  await change(opened)
  expect(opened.calls[0]?.call.signal?.aborted).toBe(true)
  await opened.calls[0]?.finish()
  expect(opened.compactions()).toEqual([])
})

it('keeps everything with a warning when it fails', async () => {
  const broken = async () => Promise.reject(new Error('no model'))
  const { session } = slow({ compress: broken })
  await session.prepare(over)
  await new Promise((next) => setImmediate(next))
  const { messages, warnings } = await session.prepare(answered(over, 'second'))
  expect(messages).toHaveLength(over.length + 2)
  expect(warnings.map(({ code }) => code)).toEqual(['engine-failed'])
})

it('does not stop with the request that started it', async () => {
  const { session, calls } = slow()
  const stop = new AbortController()
  await session.prepare(over, { signal: stop.signal })
  stop.abort()
  expect(calls[0]?.call.signal?.aborted).toBe(false)
})

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((next) => setImmediate(next))
}

it('keeps the invariants whenever a compaction ends', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(conversation(), fc.infiniteStream(fc.nat(4)), async (messages, delays) => {
      const { session, events } = open(
        {
          shouldCompress: () => true,
          compress: async (call) => {
            await turns(delays.next().value ?? 0)
            return compress(call)
          },
        },
        { contextLength: 1_000, compactAt: 'idle' },
      )
      for (const [length, { role }] of messages.entries()) {
        if (role !== 'assistant' || length === 0) continue
        const host = messages.slice(0, length)
        await turns(delays.next().value ?? 0)
        const sent = await session.prepare(host)
        expect(checkProjection(sent.messages, session.transcript)).toEqual([])
        const origins = sent.origins.flatMap((origin) => (origin.from === 'transcript' ? [origin.index] : []))
        expect(origins).toEqual(origins.toSorted((a, b) => a - b))
      }
      taken += events.filter((event) => event.type === 'compaction' && event.committed).length
      expect(events.filter(({ type }) => type === 'violations')).toEqual([])
      await session.end()
    }),
    { numRuns: 200, endOnFailure: true },
  )
  expect(taken).toBeGreaterThan(50)
})
