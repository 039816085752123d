import { compressor } from '@palimpsest/compressor'
import { type ContextSession, createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { expect, it, vi } from 'vitest'
import { createViewRecorder } from '../../src/view/view-recorder.ts'
import { talk } from './watched-session.ts'

const clock = { now: () => 1_000 }
const tokens = roughTokenCounter

function open(isWatched: boolean): ContextSession {
  const session = createContextSession({
    ...{ engine: compressor, contextLength: 3_000, tokens, clock, sessionId: 's' },
  })
  if (!isWatched) return session
  const { recorder, session: watched } = createViewRecorder({
    ...{ session, source: 'chat', summaries: 'offline', tokens, clock },
  })
  // A page that fails, too.
  recorder.subscribe(() => {
    throw new Error('the page is gone')
  })
  return watched
}

/** All that a host sees of a session that it treats badly. */
async function seenOf(session: ContextSession): Promise<readonly unknown[]> {
  const seen: unknown[] = []
  session.subscribe((event) => seen.push(structuredClone(event)))
  const note = async (result: unknown) =>
    seen.push(
      await Promise.resolve(result).catch(
        (error: Error & { code?: unknown }) => `${error.name} ${error.code} ${error.message}`,
      ),
    )
  const list = talk(20, (turn) => `Question ${turn} ${'about this '.repeat(30)}`)
  const overflow = Object.assign(new Error('maximum context length is 2500 tokens'), {
    ...{ status: 400, code: 'context_length_exceeded' },
  })
  await note(session.prepare(list.slice(0, 10)))
  // Two at once, whose list the host changes at once.
  const changing = list.slice(0, 30)
  const both = [session.prepare(list.slice(0, 20)), session.prepare(changing)]
  changing.length = 0
  for (const one of both) await note(one)
  await note(session.prepare([...list, null as unknown as Message]))
  await note(session.prepare(list, { signal: AbortSignal.abort(new Error('not any more')) }))
  await note(session.recover(new Error('something else')))
  await note(session.recover(overflow))
  await note(session.observe({ message: { role: 'assistant', content: 'So.' } }))
  await note(session.observe({ message: 7 as never }))
  await note(session.callTool('none', '{'))
  await note(session.updateModel({ contextLength: -1 }))
  await note(session.compact())
  seen.push(structuredClone(session.transcript), session.engine.status(), session.id)
  await note(session.reset())
  await note(session.end())
  await note(session.prepare(list))
  return seen
}

it('a session that is watched is, to its host, the session itself', async () => {
  const errors = vi.fn()
  process.on('unhandledRejection', errors)
  const [plain, watched] = [await seenOf(open(false)), await seenOf(open(true))]
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', errors)
  expect(watched).toEqual(plain)
  expect(
    JSON.stringify(plain).match(/not any more|something else|SessionEnded|compacted/g)?.length,
  ).toBeGreaterThan(3)
  expect(errors).not.toHaveBeenCalled()
})
