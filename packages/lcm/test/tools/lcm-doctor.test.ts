import { describe, expect, it } from 'vitest'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import { commit, replaceFrom, sessionOf, summary, user } from '../search/session-fixture.ts'
import { callTool, toolsOf } from './call-tool.ts'

async function healthy() {
  const session = await sessionOf([
    { role: 'system', content: 'be kind' },
    user('alpha'),
    user('beta'),
    user('gamma'),
    user('delta'),
  ])
  await replaceFrom(session, 4, [user('epsilon')])
  const nodes = [
    summary({ number: 1, first: 1, last: 2, text: 'a' }),
    summary({ number: 2, first: 3, last: 3, text: 'b' }),
  ]
  await commit(session, nodes, [1, 2])
  return session
}

/** The session with some answers changed: damage as a store could show it. */
async function failing(change: (session: LcmSession) => Partial<LcmSession>) {
  const session = await healthy()
  const answer = await callTool(toolsOf({ ...session, ...change(session) }), 'lcm_doctor')
  return answer.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
}

describe('lcm_doctor', () => {
  it('finds nothing wrong with a healthy session, or an empty one', async () => {
    const answer = await callTool(toolsOf(await healthy(), { check: async () => [] }), 'lcm_doctor')
    expect(answer).toMatchObject({ ok: true, advice: 'nothing to do' })
    expect(answer.checks.map(({ name }) => name)).toEqual([
      'unsaved',
      'head',
      'frontier',
      'messages',
      'summaries',
      'index',
      'store',
    ])
    expect(await callTool(toolsOf(await sessionOf([])), 'lcm_doctor')).toMatchObject({ ok: true })
  })

  it('finds a gap between summaries, and a message in front of them', async () => {
    const without = (number: number) => (session: LcmSession) => ({
      frontier: async () => {
        const { version, nodes } = await session.frontier()
        return { version, nodes: nodes.filter((node) => node.number !== number) }
      },
    })
    expect(await failing(without(1))).toEqual(['frontier: m1 stands before all summaries and is in none'])
    const gap = (session: LcmSession) => ({
      frontier: async () => {
        const { version, nodes } = await session.frontier()
        return { version, nodes: nodes.map((node) => (node.number === 1 ? { ...node, last: 1 } : node)) }
      },
    })
    expect(await failing(gap)).toEqual([
      'frontier: m2 is in no summary',
      'summaries: s1 is not what was stored: its hash is another',
    ])
  })

  it('finds a message that changed, and a head that does not agree', async () => {
    const changed = (session: LcmSession) => ({
      messages: async (query: Parameters<LcmSession['messages']>[0]) =>
        (await session.messages(query)).map((message) =>
          message.seq === 2 ? { ...message, json: '{}' } : message,
        ),
    })
    expect(await failing(changed)).toEqual(['messages: m2 is not what was stored: its hash is another'])
    const ahead = (session: LcmSession) => ({ head: async () => ({ ...(await session.head()), nextSeq: 9 }) })
    expect(await failing(ahead)).toEqual(['head: the next message would be m9, but the last one is m5'])
  })

  it('finds an index that does not answer', async () => {
    const deaf = (session: LcmSession) => ({
      candidates: async (query: Parameters<LcmSession['candidates']>[0]) =>
        query.where.length > 0 ? [] : session.candidates(query),
    })
    expect(await failing(deaf)).toEqual(['index: the index does not find "epsilon" in m5'])
  })

  it('passes on what the store finds in itself, and goes on when a check fails', async () => {
    const fault = { code: 'bad-page', message: 'page 7 is damaged', repairable: false }
    const session = await healthy()
    const found = await callTool(toolsOf(session, { check: async () => [fault] }), 'lcm_doctor')
    expect(found).toMatchObject({ ok: false, advice: expect.stringContaining('tell the user') })
    expect(found.checks.at(-1)).toEqual({
      name: 'store',
      ok: false,
      detail: '1 faults: bad-page: page 7 is damaged',
    })
    const thrown = await callTool(
      toolsOf(session, { check: () => Promise.reject(new Error('locked')) }),
      'lcm_doctor',
    )
    expect(thrown.checks.at(-1)).toEqual({ name: 'store', ok: false, detail: 'locked' })
  })
})

describe('lcm_status', () => {
  it('counts, and adds what the host says without letting it overrule the counts', async () => {
    const status = () => ({ store: 'memory', pending: 3, messages: 'many' })
    expect(await callTool(toolsOf(await healthy(), { status }), 'lcm_status')).toMatchObject({
      store: 'memory',
      pending: 3,
      messages: 5,
      replaced: 1,
      summaries: 2,
      frontier: { summaries: 2, shown_messages: 2 },
    })
  })
})
