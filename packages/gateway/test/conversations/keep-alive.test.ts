import type { ContextSession } from '@palimpsest/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeepAlive, type NextPing } from '../../src/conversations/keep-alive.ts'
import type { UpstreamAnswer } from '../../src/http/upstream.ts'

const SESSION = { id: 'one' } as ContextSession
const EVERY = 270_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** `answers`: the statuses of the upstream, the last one again and again; `hangs`: it never answers. */
function start({ answers = [200], hangs = false, until = Number.POSITIVE_INFINITY } = {}) {
  let usedAt = Date.now()
  const posted: { at: number; signal: AbortSignal }[] = []
  const log: string[] = []
  const nextPing: NextPing = (_, body) =>
    Date.now() > until
      ? undefined
      : {
          at: Math.max(usedAt + EVERY, Date.now()),
          body: { ...body, max_tokens: 0 },
          sent: () => {
            usedAt = Date.now()
          },
          answered: () => true,
        }
  const clock = { now: () => Date.now() }
  const keepAlive = createKeepAlive({ nextPing, clock, log: (line) => log.push(line) })
  const begin = () => {
    usedAt = Date.now()
    keepAlive.begin(SESSION, {
      body: {},
      post: async (_, signal) => {
        posted.push({ at: Date.now(), signal })
        if (hangs) await new Promise((_, reject) => signal.addEventListener('abort', reject))
        const status = answers[Math.min(posted.length, answers.length) - 1] ?? 200
        return { status, ok: status === 200, text: async () => '{}' } as UpstreamAnswer
      },
    })
  }
  begin()
  return { keepAlive, begin, posted, log }
}

test('one after the other, each when the one before has been answered', async () => {
  const begun = Date.now()
  const { posted } = start()
  await vi.advanceTimersByTimeAsync(3 * EVERY)
  expect(posted.map(({ at }) => at - begun)).toEqual([EVERY, 2 * EVERY, 3 * EVERY])
})

test('one that is on its way ends with the next request, and says nothing', async () => {
  const { keepAlive, posted, log } = start({ hangs: true })
  await vi.advanceTimersByTimeAsync(EVERY)
  expect(posted[0]?.signal.aborted).toBe(false)
  keepAlive.stop(SESSION)
  expect(posted[0]?.signal.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(3 * EVERY)
  expect(posted).toHaveLength(1)
  expect(log).toEqual([])
})

test('none goes out after a request has begun, or after the end', async () => {
  const { keepAlive, begin, posted } = start()
  keepAlive.stop(SESSION)
  await vi.advanceTimersByTimeAsync(2 * EVERY)
  begin()
  keepAlive.close()
  begin()
  await vi.advanceTimersByTimeAsync(2 * EVERY)
  expect(posted).toEqual([])
})

test('none goes out when the time has come too late: what it was to keep has lapsed', async () => {
  const { posted } = start({ until: Date.now() + EVERY + 30_000 })
  vi.setSystemTime(Date.now() + 10 * EVERY)
  await vi.advanceTimersByTimeAsync(2 * EVERY)
  expect(posted).toEqual([])
})

test.each([
  [400, 1],
  [503, 2],
  [429, 2],
])('an upstream that says %i is asked in %i pauses of two', async (status, asked) => {
  const { begin, posted, log } = start({ answers: [status] })
  await vi.advanceTimersByTimeAsync(4 * EVERY)
  expect(posted).toHaveLength(1)
  begin()
  await vi.advanceTimersByTimeAsync(4 * EVERY)
  expect(posted).toHaveLength(asked)
  expect(log).toHaveLength(asked)
  expect(log[0]).toBe(`warning: a prompt is not kept in the cache: ${status} from the upstream`)
})
