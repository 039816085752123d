import { describe, expect, it } from 'vitest'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { planRequest } from '../../src/plan/plan-request.ts'
import {
  answer,
  calls,
  layoutOf,
  TEST_PRICING,
  type TestBlock,
  type TestMessage,
  type TestRequest,
  user,
} from '../layouts.ts'
import { playSession } from './play-session.ts'

const SECOND = 1000
const tools: TestBlock[] = [
  { text: 'read', tokens: 1500 },
  { text: 'write', tokens: 1500 },
]
const system: TestBlock[] = [{ text: 'system', tokens: 4000 }]
const request = (messages: TestMessage[], rest: Partial<TestRequest> = {}) =>
  layoutOf({ tools, system, messages, ...rest })
const planOf = (...input: Parameters<typeof planRequest>) => planRequest(...input).plan
const reasonsOf = ({ breakpoints }: { breakpoints: readonly { reason: string }[] }) =>
  breakpoints.map(({ reason }) => reason)

describe('sticky', () => {
  it('case 1: at most four breakpoints over tools, system prompt and messages', () => {
    const session = playSession({ ...TEST_PRICING, matching: 'per-block' })
    const messages = [user('ask', 500), ...calls('a', 12, 200)]
    const first = session.send(request(messages), 0).plan
    messages.push(...calls('b', 12, 200), answer('done', 100), user('more', 100))
    const second = session.send(request(messages), 20 * SECOND).plan
    expect(first.breakpoints.map(({ ref }) => ref.at)).toEqual(['system', 'message'])
    expect(reasonsOf(first)).toEqual(['static-head', 'tail'])
    messages.push(answer('more', 100), user('and?', 100))
    const third = session.send(request(messages), 40 * SECOND).plan
    expect(reasonsOf(second)).toEqual(['static-head', 'sticky', 'tail'])
    expect(third.breakpoints.map(({ ref }) => ref.at)).toEqual(['system', 'message', 'message', 'message'])
    expect(reasonsOf(third)).toEqual(['static-head', 'sticky', 'sticky', 'tail'])
  })

  it('case 16: over budget the shorter beginnings go first, never tail or head', () => {
    const reasons = [4, 3, 2].map((maxBreakpoints) => {
      const session = playSession({ ...TEST_PRICING, maxBreakpoints })
      const messages = [user('ask', 500)]
      session.send(request(messages), 0)
      messages.push(...Array.from({ length: 20 }, (_, index) => answer(`step ${index}`, 300)))
      return reasonsOf(session.send(request(messages), 20 * SECOND).plan)
    })
    expect(reasons).toEqual([
      ['static-head', 'sticky', 'tail'],
      ['static-head', 'sticky', 'tail'],
      ['static-head', 'tail'],
    ])
  })

  it('case 20: a request without a follow-up writes nothing, and reads what is there', () => {
    const layout = request([user('ask', 2000)])
    const cold = planOf({ layout, at: 0, followUp: false }, EMPTY_CACHE, TEST_PRICING)
    expect(cold).toMatchObject({ breakpoints: [], expected: { write5m: 0, uncached: 9000 } })
    const session = playSession(TEST_PRICING)
    session.send(layout, 0)
    const longer = request([user('ask', 2000), answer('answer', 500), user('summarise', 100)])
    const { plan } = session.send(longer, SECOND, false)
    expect(reasonsOf(plan)).not.toContain('tail')
    expect(plan.expected).toMatchObject({ read: 9000, write5m: 0, write1h: 0, uncached: 600 })
  })

  it('finds the static part of the system prompt before a note that an engine appended', () => {
    const session = playSession(TEST_PRICING)
    const noted = (note: string) => ({ system: [...system, { text: note, tokens: 60 }] })
    session.send(request([user('ask', 500)], noted('note 1')), 0)
    const { served } = session.send(request([user('ask', 500)], noted('note 2')), SECOND)
    expect(served.bill).toMatchObject({ read: 7000, write5m: 560 })
  })
})
