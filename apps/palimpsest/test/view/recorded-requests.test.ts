import { countMessages, type Message, roughTokenCounter as tokens } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversation } from '../../../../packages/contract-tests/src/harness/generated-conversations.ts'
import { deltaOf } from '../../../../packages/inspector/src/page/session-feeds.ts'
import { toViewMessage } from '../../../../packages/inspector/src/view/view-message.ts'
import { applyDelta } from '../../../../packages/inspector/web/src/data/live-source.ts'
import { ENGINES, shownRequests, standingAt, watchedSession } from './watched-session.ts'

/** What a user may choose, and take back: each takes the place of the one before. */
const DATABASES = ['Postgres', 'MySQL', 'SQLite'] as const

/** What a host does between two requests. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('say' as const), count: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('edit' as const, 'cut' as const), at: fc.nat(40) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('adopt', 'prompt', 'reset', 'compact') }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('decide' as const), choice: fc.constantFrom(...DATABASES) }),
  },
  { weight: 3, arbitrary: fc.constant({ type: 'look' as const }) },
)

interface Sent {
  readonly said: readonly unknown[]
  readonly tokens: number
  readonly without: number
}

describe('the view of a session', () => {
  it.each(Object.keys(ENGINES))(
    'gives back each request as it was sent, whatever the host does, and its deltas sum up to it: %s',
    async (kind) => {
      const counts = { requests: 0, compactions: 0, deltas: 0, withSummaries: 0, withDecisions: 0 }
      const property = fc.asyncProperty(
        conversation({ maxTurns: 16 }),
        fc.array(step, { minLength: 4, maxLength: 14 }),
        async (messages, steps) => {
          const { session, recorder, close } = await watchedSession(kind, 900)
          let sent = await recorder.view()
          let view = sent
          const requests: Sent[] = []
          let list: Message[] = []
          let given: Message[] = []
          let next = 0
          for (const [number, action] of steps.entries()) {
            if ('count' in action) {
              list = [...list, ...messages.slice(next, next + action.count)]
              next += action.count
            } else if ('at' in action) {
              const at = action.at % (list.length + 1)
              const edited: Message = { role: 'user', content: `instead of ${number}` }
              list = [...list.slice(0, at), ...(action.type === 'edit' ? [edited] : [])]
            } else if ('choice' in action)
              list = [...list, { role: 'user', content: `We use ${action.choice} as our database.` }]
            else if (action.type === 'adopt') list = given
            else if (action.type === 'prompt' && list[0]?.role === 'system')
              list = [{ role: 'system', content: `prompt ${number}` }, ...list.slice(1)]
            else if (action.type === 'reset') {
              await session.reset()
              list = []
              next = 0
            } else if (action.type === 'compact') await session.compact()
            else if (action.type === 'look') {
              const next = await recorder.view()
              const delta = deltaOf(sent, next)
              sent = next
              if (delta === undefined) continue
              view = applyDelta(view, JSON.parse(JSON.stringify(delta)))
              counts.deltas++
              if (delta.facts.summaryNodes?.length) counts.withSummaries++
              if (delta.facts.decisions?.length) counts.withDecisions++
            }
            const prepared = await session.prepare(list)
            requests.push({
              said: prepared.messages.map(toViewMessage),
              tokens: countMessages(tokens, prepared.messages) + tokens.countTools(prepared.tools),
              without: countMessages(tokens, session.transcript),
            })
            given = structuredClone(prepared.messages)
            if ('choice' in action && kind.startsWith('decisions')) {
              const { choice: value } = action
              await session.callTool('decisions_record', {
                subject: 'database',
                value,
                quote: `We use ${value} as`,
              })
            }
            // The host's own copy, which it may mark for its provider.
            for (const message of prepared.messages) Object.assign(message, { content: 'marked' })
            if (number % 3 === 0)
              await session.observe({ message: { role: 'assistant', content: `so ${number}` } })
          }
          const whole = await recorder.view()
          const last = deltaOf(sent, whole)
          expect(last === undefined ? view : applyDelta(view, last)).toEqual(whole)

          const shown = shownRequests(whole.requests)
          expect(shown.map((rows) => rows.map((row) => saidOf(whole.messages[row])))).toEqual(
            requests.map(({ said }) => said),
          )
          expect(shown.filter((rows) => new Set(rows).size < rows.length)).toEqual([])
          const sums = whole.requests.map((request) =>
            Object.values(request.tokens).reduce((sum, count) => sum + count, 0),
          )
          expect(sums).toEqual(requests.map((request) => request.tokens))
          expect(whole.requests.map(({ without }) => without)).toEqual(requests.map(({ without }) => without))
          const standing = session.transcript.map((_, place) => saidOf(standingAt(whole.messages, place)))
          expect(standing).toEqual(session.transcript.map(toViewMessage))
          expect(whole.warnings.filter(({ code }) => code === 'view-incomplete')).toEqual([])
          counts.requests += whole.requests.length
          counts.compactions += whole.compactions.filter(({ outcome }) => outcome === 'compacted').length
          await session.end()
          await close()
        },
      )
      await fc.assert(property, { numRuns: 25 })
      console.log(`${kind}: ${JSON.stringify(counts)}`)
      expect(counts.compactions).toBeGreaterThan(5)
      expect(counts.withSummaries).toBeGreaterThan(5)
      expect(counts.withDecisions > 5).toBe(kind.startsWith('decisions'))
    },
  )
})

function saidOf(row: object | undefined): object {
  const { kind: _, tokens: __, seq: ___, at: ____, ...said } = { kind: 0, tokens: 0, seq: 0, at: 0, ...row }
  return said
}
