import { describe, expect, it } from 'vitest'
import { createLcmTools } from '../../src/tools/create-lcm-tools.ts'
import { commit, sessionOf, summary, user } from '../search/session-fixture.ts'
import { callTool, toolsOf } from './call-tool.ts'

const NAMES = ['lcm_grep', 'lcm_describe', 'lcm_expand']

async function talk() {
  const session = await sessionOf([user('alpha one'), user('beta two'), user('gamma three')])
  await commit(session, [summary({ number: 1, first: 0, last: 1, text: 'alpha and beta' })], [1])
  return session
}

describe('the tools', () => {
  it('are offered with a description and a description of every argument', async () => {
    const { schemas } = toolsOf(await talk())
    expect(schemas.map((schema) => schema.function.name)).toEqual(NAMES)
    for (const { function: tool } of schemas) {
      expect(tool.description?.length).toBeGreaterThan(40)
      const { properties } = tool.parameters as { properties: Record<string, { description?: string }> }
      for (const property of Object.values(properties)) expect(property.description).toBeTruthy()
    }
    expect(JSON.parse(JSON.stringify(schemas))).toEqual(schemas)
  })

  it('say what to do when a call is wrong', async () => {
    const tools = toolsOf(await talk())
    const error = async (name: string, args: unknown) => (await callTool(tools, name, args)).error
    expect(await error('lcm_find', {})).toBe(`there is no tool lcm_find; use ${NAMES.join(', ')}`)
    expect(await error('lcm_grep', {})).toMatch(
      /^"query" is wrong \(expected string, received undefined\); it takes: 2 or 3/,
    )
    expect(await error('lcm_grep', { query: 'a', limit: [] })).toMatch(/"limit" is wrong .*Hits, 1 to 50/)
    expect(await error('lcm_grep', { query: 'a', mode: 'fuzzy' })).toMatch(/"mode" is wrong/)
    expect(await error('lcm_grep', { query: 'a', since: 'yesterday' })).toMatch(
      /"since" must be a date such as/,
    )
    expect(await error('lcm_grep', { query: 'a', first: 'x' })).toMatch(
      /"first" must be a message such as "m57"/,
    )
    expect(await error('lcm_grep', ['a'])).toBe('the arguments must be one JSON object, such as {}')
    expect(await error('lcm_expand', { id: 'x' })).toBe(
      '"x" is not an id; use "m57" for a message, "s12" for a summary',
    )
    expect(await error('lcm_expand', { id: 'm1-m0' })).toBe('"m1-m0" ends before it begins; write "m57-m63"')
    expect(await error('lcm_expand', { id: 'm7-m9' })).toContain('they go from m0 to m2')
    expect(await error('lcm_expand', { id: ' ' })).toContain('id is empty')
    expect(await error('lcm_expand', { id: Array.from({ length: 21 }, () => 'm0') })).toContain('at most 20')
    expect(await error('lcm_expand', { id: 'm9' })).toBe('there is no m9; messages go from m0 to m2')
    expect(await error('lcm_describe', { id: 's9' })).toBe('there is no s9; summaries go from s1 to s1')
    expect(await error('lcm_expand', { id: 's1', form: 'json' })).toMatch(/leave it out for a summary/)
  })

  it.each([
    [
      'lcm_grep',
      { query: 'a', role: 'user' },
      'there is no argument "role" (did you mean "roles"?); there are: query,',
    ],
    [
      'lcm_grep',
      { query: 'a', ignoreCase: true },
      'there is no argument "ignoreCase" (did you mean "ignore_case"?)',
    ],
    ['lcm_grep', { query: 'a', colour: 'red' }, 'there is no argument "colour"; there are: query, mode,'],
    ['lcm_expand', { id: 'm0', ['__proto__']: 1 }, 'there is no argument "__proto__"; there are: id,'],
    ['lcm_grep', { query: 'a', first: 'm3' }, 'there is no m3 to begin at; messages go from m0 to m2'],
    ['lcm_grep', { query: 'a', first: 2, last: 1 }, '"first" (m2) comes after "last" (m1)'],
    [
      'lcm_grep',
      { query: 'a', since: 5, before: 5 },
      '"since" (1970-01-01T00:00:00.005Z) must be earlier than "before"',
    ],
    ['lcm_expand', { id: 'm0', limit: 0 }, '"limit" is wrong'],
    ['lcm_expand', { id: 'm0', offset: 10 }, 'offset 10 is after the end: the text of m0 has 9 bytes'],
    ['lcm_expand', { id: 's1', offset: 2 }, 'offset 2 is after the end: s1 was made from 2 sources'],
    ['lcm_describe', { id: 's1', offset: 99 }, 'offset 99 is after the end: the text of s1 has 14 bytes'],
    ['lcm_describe', { offset: 1 }, 'offset 1 is after the end: the overview lists 1 summaries'],
  ])('do not guess what is meant: %s %j', async (name, args, message) => {
    expect((await callTool(toolsOf(await talk()), name, args)).error).toContain(message)
  })

  it('need no clock', async () => {
    const tools = createLcmTools({ open: talk })
    expect((await callTool(tools, 'lcm_grep', { query: 'alpha' })).hits).toHaveLength(1)
  })

  it('understand numbers as text, null as not given, and too much as the most', async () => {
    const tools = toolsOf(await talk())
    const answer = await callTool(tools, 'lcm_grep', {
      query: 'a*',
      limit: '1',
      mode: null,
      first: 0,
      colour: null,
    })
    expect(answer.hits.map(({ ref }: { ref: string }) => ref)).toEqual(['m0'])
    expect((await callTool(tools, 'lcm_grep', { query: 'two', limit: 1e308 })).hits).toHaveLength(1)
  })

  it('report what the store throws, and what a host throws', async () => {
    const session = await talk()
    const broken = toolsOf(session, { open: () => Promise.reject(new Error('the disk is gone')) })
    expect(await callTool(broken, 'lcm_grep', { query: 'a' })).toEqual({ error: 'the disk is gone' })
    const rude = toolsOf(session, {
      status: () => {
        throw new Error('no status')
      },
    })
    expect(await callTool(rude, 'lcm_describe')).toEqual({ error: 'no status' })
  })

  it('end with the reason of an abort', async () => {
    const tools = toolsOf(await talk())
    await expect(
      tools.call('lcm_grep', { query: 'a' }, AbortSignal.abort(new Error('stop'))),
    ).rejects.toThrow('stop')
  })
})
