import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  append,
  assistant,
  commit,
  replaceFrom,
  START,
  sessionOf,
  summary,
  user,
} from '../search/session-fixture.ts'
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
    expect(await callTool(toolsOf(session), 'lcm_grep', { query: 'app.toml' })).toEqual({
      complete: true,
      next: null,
      matched: 'substring',
      scanned: { messages: 3, from: 'm0', to: 'm2' },
      hits: [
        {
          ref: 'm1',
          time: new Date(START + 1000).toISOString(),
          text: 'm0 user: Where is the config?\nm1 assistant: The config is\nin /etc/app.toml\nm2 user: ok',
        },
      ],
    })
    const nothing = await callTool(toolsOf(session), 'lcm_grep', { query: 'quokka' })
    expect(nothing).toMatchObject({ absent: ['quokka'], hits: [], hint: expect.stringContaining('nothing') })
  })

  it('ranks: rare words that are close before common ones, other forms of a word too', async () => {
    const filler = Array.from({ length: 90 }, (_, index) => user(`the port of service ${index} is open`))
    const fact = user('The billing service listens on port 5433 since the migration.')
    const tools = toolsOf(await sessionOf([fact, ...filler]))
    const ask = (query: string) => callTool(tools, 'lcm_grep', { query })
    expect(await ask('port migration')).toMatchObject({
      hits: { 0: { ref: 'm0', text: expect.stringContaining('5433') } },
    })
    expect(await ask('migrations harbour')).toMatchObject({ absent: ['harbour'], hits: [{ ref: 'm0' }] })
  })

  it('answers in a bounded length unless more is asked for, and shows more of few hits', async () => {
    const long = (index: number) => user(`${index} quokka. ${'What was said about it. '.repeat(60)}`)
    const tools = toolsOf(await sessionOf(Array.from({ length: 40 }, (_, index) => long(index))))
    const length = async (args: object) => JSON.stringify(await callTool(tools, 'lcm_grep', args)).length
    expect(await length({ query: 'quokka' })).toBeLessThan(4_000)
    expect(await length({ query: 'what was there to say about the quokka?' })).toBeLessThan(5_500)
    expect(await length({ query: 'quokka', limit: 30 })).toBeGreaterThan(8_000)
    const few = toolsOf(await sessionOf([long(1)]))
    expect((await callTool(few, 'lcm_grep', { query: 'quokka' })).hits[0]?.text.length).toBeGreaterThan(1_000)
  })

  it('goes on with a ranked list, whatever was said since', async () => {
    const session = await sessionOf(Array.from({ length: 30 }, (_, index) => user(`port ${index} is open`)))
    const tools = toolsOf(session)
    const refs: string[] = []
    let cursor: ToolAnswer['next'] = null
    do {
      const page: ToolAnswer = await callTool(tools, 'lcm_grep', {
        ...{ query: 'open port', limit: 2, context: 0 },
        ...(cursor !== null && { cursor }),
      })
      refs.push(...page.hits.flatMap(({ text }) => text.match(/^m\d+/gm) ?? []))
      cursor = page.next
      expect(page).toMatchObject({ complete: cursor === null })
      await append(session, [user('the port, the open port')])
    } while (cursor !== null)
    for (let seq = 0; seq < 30; seq++) expect(refs).toContain(`m${seq}`)
  })

  it('shows what stands in several messages once', async () => {
    const tools = toolsOf(await sessionOf([user('tests passed'), user('x'), user('tests passed')]))
    expect(await callTool(tools, 'lcm_grep', { query: 'tests failed passed' })).toMatchObject({
      hits: { length: 1, 0: { ref: 'm2' } },
    })
  })

  it('refuses a ranked search where there is no ranking', async () => {
    const tools = toolsOf(await sessionOf([user('x')]))
    for (const args of [{ mode: 'regex' }, { mode: 'substring' }, { scope: 'summaries' }, { scope: 'both' }])
      expect(await callTool(tools, 'lcm_grep', { query: 'x', order: 'relevance', ...args })).toMatchObject({
        error: expect.stringContaining('order "relevance" ranks'),
      })
  })

  it('says how many replaced messages were left out', async () => {
    const session = await sessionOf([user('keep x'), user('old x'), user('older x')])
    await replaceFrom(session, 1, [user('new x')])
    const tools = toolsOf(session)
    expect(await callTool(tools, 'lcm_grep', { query: 'x' })).toMatchObject({ replaced_not_searched: 2 })
    expect(await callTool(tools, 'lcm_describe')).toMatchObject({ replaced_not_searched: 2 })
    for (const more of [{ include_replaced: true }, { last: 'm0' }])
      expect(await callTool(tools, 'lcm_grep', { query: 'x', ...more })).not.toHaveProperty(
        'replaced_not_searched',
      )
    const plain = toolsOf(await sessionOf([user('x')]))
    expect(await callTool(plain, 'lcm_describe')).not.toHaveProperty('replaced_not_searched')
  })

  it('has nothing of what was replaced where that is hidden, and no other tool has', async () => {
    const session = await sessionOf([user('keep x'), user('old x'), user('older x')])
    await commit(session, [summary({ number: 1, first: 0, last: 2, text: 'about old x' })], [1])
    await replaceFrom(session, 1, [user('new x')])
    const tools = toolsOf(session, { hidesReplaced: true })
    const [grep] = tools.schemas.map(({ function: { parameters } }) => JSON.stringify(parameters))
    expect(grep).toContain('ignore_case')
    expect(grep).not.toContain('include_replaced')
    for (const scope of ['messages', 'summaries'])
      for (const query of ['old', 'older'])
        expect(await callTool(tools, 'lcm_grep', { query, scope, include_replaced: true })).toMatchObject({
          hits: [],
        })
    for (const name of ['lcm_expand', 'lcm_describe'])
      for (const id of ['m1', 'm2', 's1'])
        expect((await callTool(tools, name, { id })).error).toContain(`there is no ${id}`)
    expect((await callTool(tools, 'lcm_expand', { id: 'm3' })).text).toContain('new x')
  })

  it('says where lcm_expand shows the match, whatever stands around it', async () => {
    const filler = fc.constantFrom(
      'a ',
      '数据 ',
      '😀',
      '"',
      '\\',
      '\n',
      '\0',
      '\ud800',
      '\u0001',
      'word '.repeat(200),
    )
    const text = fc.array(filler, { maxLength: 40 }).map((parts) => parts.join('').repeat(20))
    const message = fc.tuple(text, text, fc.constantFrom(0, 1, 2, 3), fc.string({ maxLength: 300 }))
    let far = 0
    await fc.assert(
      fc.asyncProperty(message, async ([before, behind, shape, id]) => {
        const content = `${before} needle ${behind}`
        const image = { type: 'image_url', image_url: { url: 'x'.repeat(3_000) } }
        const call = (args: string) => ({
          id: id.repeat(30),
          type: 'function',
          function: { name: 'write', arguments: args },
        })
        const shapes = [
          { role: 'user', content, name: id.repeat(30) },
          { role: 'tool', tool_call_id: id.repeat(30), content },
          {
            role: 'user',
            content: [image, { type: 'text', text: before }, image, { type: 'text', text: content }],
          },
          {
            role: 'assistant',
            content: before,
            tool_calls: [call(JSON.stringify({ before })), call(JSON.stringify({ content }))],
          },
        ]
        const tools = toolsOf(await sessionOf([shapes[shape] as unknown as Message]))
        const [hit] = (await callTool(tools, 'lcm_grep', { query: 'needle' })).hits
        if (hit === undefined) throw new Error('the needle was not found')
        const page = await callTool(tools, 'lcm_expand', { id: hit.ref, offset: hit.offset ?? 0 })
        expect(page.text).toContain('needle')
        expect(page).toHaveProperty('offset', hit.offset ?? 0)
        if (hit.offset !== undefined) far++
      }),
      { numRuns: 150 },
    )
    console.log(`${far} matches behind the first page`)
    expect(far).toBeGreaterThan(30)
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
    const answer = await callTool(tools, 'lcm_grep', { query: '"a colour"', scope: 'summaries', limit: 2 })
    expect(refs(answer)).toEqual(['s3', 's2'])
    expect(answer).toMatchObject({
      next: 's2',
      complete: false,
      scanned: { summaries: 3, from: 's2', to: 's4' },
    })
    const rest = await callTool(tools, 'lcm_grep', {
      query: '"a colour"',
      scope: 'summaries',
      cursor: answer.next,
    })
    expect(refs(rest)).toEqual(['s1'])
    const range = { query: '"a colour"', scope: 'summaries', first: 'm1', last: 'm1' }
    expect(refs(await callTool(tools, 'lcm_grep', range))).toEqual(['s2'])
    const both = await callTool(tools, 'lcm_grep', { query: 'red', scope: 'both' })
    expect([refs(both.messages), refs(both.summaries)]).toEqual([['m0'], ['s4']])
    expect((await callTool(tools, 'lcm_grep', { query: 'red', scope: 'both', cursor: 'm1' })).error).toMatch(
      /one list/,
    )
  })

  it('takes dates and times as people write them, or as milliseconds', async () => {
    const session = await sessionOf([user('x'), user('y'), user('y'), user('y'), user('x')])
    const tools = toolsOf(session)
    const since = START + 1000
    for (const given of [new Date(since).toISOString(), since, String(since), '31 January 2026 12:00:01'])
      expect(refs(await callTool(tools, 'lcm_grep', { query: 'x', since: given }))).toEqual(['m4'])
    expect(refs(await callTool(tools, 'lcm_grep', { query: 'x', before: String(since) }))).toEqual(['m0'])
    expect(refs(await callTool(tools, 'lcm_grep', { query: 'x', before: '2026' }))).toEqual([])
  })

  it('shows fewer hits when they are long, and loses none over the pages', async () => {
    const line = (index: number) => `${'"long" '.repeat(40)}${index}`
    const text = `${line(1)}\n${line(2)}\nneedle\n${line(3)}\n${line(4)}`
    const session = await sessionOf(Array.from({ length: 60 }, () => user(text)))
    const tools = toolsOf(session)
    const all: string[] = []
    let cursor: ToolAnswer['next'] = null
    do {
      const asked = { query: 'needle', order: 'newest', limit: 50, context: 5, cursor }
      const answer = await tools.call('lcm_grep', asked)
      expect(answer.length).toBeLessThanOrEqual(20_000)
      const page = JSON.parse(answer) as ToolAnswer
      all.push(...page.hits.flatMap(({ text }) => text.match(/^m\d+/gm) ?? []))
      cursor = page.next
    } while (cursor !== null)
    for (let seq = 0; seq < 60; seq++) expect(all).toContain(`m${seq}`)
  })
})
