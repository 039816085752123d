import { describe, expect, it } from 'vitest'
import { commit, replaceFrom, START, sessionOf, summary, user } from '../search/session-fixture.ts'
import { callTool, toolsOf } from './call-tool.ts'

const time = (seq: number) => new Date(START + seq * 1000).toISOString()

async function tree() {
  const session = await sessionOf(Array.from({ length: 9 }, (_, index) => user(`note ${index}`)))
  const leaves = [0, 1, 2].map((part) =>
    summary({ number: part + 1, first: part * 2, last: part * 2 + 1, text: `part ${part}` }),
  )
  const condensed = summary({
    number: 4,
    first: 0,
    last: 3,
    depth: 1,
    children: [1, 2],
    text: 'parts 0 and 1',
  })
  await commit(session, [...leaves, condensed], [4, 3])
  return session
}

describe('lcm_describe', () => {
  it('gives an overview', async () => {
    expect(await callTool(toolsOf(await tree()), 'lcm_describe')).toMatchObject({
      messages: 9,
      replaced: 0,
      summaries: 4,
      range: 'm0-m8',
      from: time(0),
      to: time(8),
      frontier: { version: 1, summaries: 2, depth: 1, covered_messages: 6, shown_messages: 3 },
      list: [
        { ref: 's4', depth: 1, covers: 'm0-m3', messages: 4 },
        { ref: 's3', depth: 0, covers: 'm4-m5', messages: 2 },
      ],
      next: null,
    })
  })

  it('shows a summary with its lineage', async () => {
    const tools = toolsOf(await tree())
    expect(await callTool(tools, 'lcm_describe', { id: 's4' })).toMatchObject({
      covers: 'm0-m3',
      in_frontier: true,
      parents: [],
      children: ['s1', 's2'],
      text: 'parts 0 and 1',
      writer: 'extractive',
    })
    expect(await callTool(tools, 'lcm_describe', { id: 's2' })).toMatchObject({
      in_frontier: true,
      parents: ['s4'],
      children: [],
    })
  })

  it('says when a summary is no longer in use', async () => {
    const session = await tree()
    await commit(session, [], [1, 2, 3])
    expect(await callTool(toolsOf(session), 'lcm_describe', { id: 's4' })).toMatchObject({
      in_frontier: false,
      parents: [],
    })
  })

  it('reads a long summary to its end', async () => {
    const text = 'sum "total" 数\n'.repeat(4_000)
    const session = await sessionOf([user('a'), user('b')])
    await commit(session, [summary({ number: 1, first: 0, last: 0, text })], [1])
    const tools = toolsOf(session)
    let read = ''
    for (let offset: number | null = 0; offset !== null; ) {
      const answer: string = await tools.call('lcm_describe', { id: 's1', offset })
      expect(answer.length).toBeLessThanOrEqual(20_000)
      const page = JSON.parse(answer)
      read += page.text
      offset = page.next ?? null
    }
    expect(read).toBe(text)
  })

  it('shows a message with the summaries that cover it, from the leaf up', async () => {
    const session = await tree()
    const tools = toolsOf(session)
    expect(await callTool(tools, 'lcm_describe', { id: 'm3' })).toMatchObject({
      role: 'user',
      time: time(3),
      bytes: JSON.stringify(user('note 3')).length,
      shown: false,
      replaced: false,
      summaries: ['s2', 's4'],
    })
    expect(await callTool(tools, 'lcm_describe', { id: 'm8' })).toMatchObject({ shown: true, summaries: [] })
    await replaceFrom(session, 8, [user('other')])
    expect(await callTool(tools, 'lcm_describe', { id: 'm8' })).toMatchObject({
      replaced: true,
      shown: false,
    })
    await session.forget({ first: 3, last: 3, reason: 'asked to', at: START })
    expect(await callTool(tools, 'lcm_describe', { id: 'm3' })).toMatchObject({
      forgotten: { reason: 'asked to', time: time(0) },
    })
  })
})
