import { describe, expect, it } from 'vitest'
import { assistant, commit, START, sessionOf, summary, user } from '../search/session-fixture.ts'
import { callTool, type ToolAnswer, toolsOf } from './call-tool.ts'

const refs = ({ hits }: ToolAnswer) => hits.map(({ ref }) => ref)

describe('lcm_grep', () => {
  it('answers with what a model needs to go on', async () => {
    const session = await sessionOf([
      user('Where is the config?'),
      assistant('The config is\nin /etc/app.toml'),
      user('ok'),
    ])
    await commit(session, [summary({ number: 1, first: 0, last: 1, text: 'the config was found' })], [1])
    expect(await callTool(toolsOf(session), 'lcm_grep', { query: 'app.toml', context: 1 })).toEqual({
      complete: true,
      next: null,
      matched: 'substring',
      scanned: { messages: 3, from: 'm0', to: 'm2' },
      hits: [
        {
          ref: 'm1',
          role: 'assistant',
          time: new Date(START + 1000).toISOString(),
          matches: 1,
          line: 2,
          snippet: 'The config is\nin /etc/app.toml',
          context: 'The config is\nin /etc/app.toml',
          summary: 's1',
        },
      ],
    })
  })

  it('searches summaries, and both', async () => {
    const session = await sessionOf([user('red'), user('green'), user('blue')])
    const leaves = [0, 1, 2].map((seq) =>
      summary({ number: seq + 1, first: seq, last: seq, text: `a colour ${seq}` }),
    )
    const root = summary({
      number: 4,
      first: 0,
      last: 2,
      depth: 1,
      children: [1, 2, 3],
      text: 'colours: red',
    })
    await commit(session, [...leaves, root], [4])
    const tools = toolsOf(session)
    const answer = await callTool(tools, 'lcm_grep', { query: 'colour', scope: 'summaries', limit: 2 })
    expect(refs(answer)).toEqual(['s3', 's2'])
    expect(answer).toMatchObject({
      next: 's2',
      complete: false,
      scanned: { summaries: 3, from: 's2', to: 's4' },
    })
    const rest = await callTool(tools, 'lcm_grep', {
      query: 'colour',
      scope: 'summaries',
      cursor: answer.next,
    })
    expect(refs(rest)).toEqual(['s1'])
    const range = { query: 'colour', scope: 'summaries', first: 'm1', last: 'm1' }
    expect(refs(await callTool(tools, 'lcm_grep', range))).toEqual(['s2'])
    const both = await callTool(tools, 'lcm_grep', { query: 'red', scope: 'both' })
    expect([refs(both.messages), refs(both.summaries)]).toEqual([['m0'], ['s4']])
    expect((await callTool(tools, 'lcm_grep', { query: 'red', scope: 'both', cursor: 'm1' })).error).toMatch(
      /one list/,
    )
  })

  it('takes times as ISO text or as milliseconds', async () => {
    const session = await sessionOf([user('x'), user('x'), user('x')])
    const tools = toolsOf(session)
    const since = START + 1000
    expect(
      refs(await callTool(tools, 'lcm_grep', { query: 'x', since: new Date(since).toISOString() })),
    ).toEqual(['m2', 'm1'])
    expect(refs(await callTool(tools, 'lcm_grep', { query: 'x', since }))).toEqual(['m2', 'm1'])
    expect(refs(await callTool(tools, 'lcm_grep', { query: 'x', before: String(since) }))).toEqual(['m0'])
  })

  it('shows fewer hits when they are long, and loses none over the pages', async () => {
    const line = (index: number) => `${'"long" '.repeat(40)}${index}`
    const text = `${line(1)}\n${line(2)}\nneedle\n${line(3)}\n${line(4)}`
    const session = await sessionOf(Array.from({ length: 60 }, () => user(text)))
    const tools = toolsOf(session)
    const all: string[] = []
    let cursor: ToolAnswer['next'] = null
    do {
      const answer = await tools.call('lcm_grep', { query: 'needle', limit: 50, context: 5, cursor })
      expect(answer.length).toBeLessThanOrEqual(20_000)
      const page = JSON.parse(answer) as ToolAnswer
      all.push(...refs(page))
      cursor = page.next
    } while (cursor !== null)
    expect(all).toEqual(Array.from({ length: 60 }, (_, index) => `m${59 - index}`))
  })
})
