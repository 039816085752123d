import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commit, sessionOf, summary, user } from '../search/session-fixture.ts'
import { callTool, toolsOf } from './call-tool.ts'

const NAMES = ['lcm_grep', 'lcm_describe', 'lcm_expand', 'lcm_expand_query', 'lcm_status', 'lcm_doctor']

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
      /^"query" is wrong \(expected string, received undefined\); it takes: What/,
    )
    expect(await error('lcm_grep', { query: 'a', limit: [] })).toMatch(/"limit" is wrong .*Hits, 1 to 50/)
    expect(await error('lcm_grep', { query: 'a', mode: 'fuzzy' })).toMatch(/"mode" is wrong/)
    expect(await error('lcm_grep', { query: 'a', since: 'yesterday' })).toMatch(
      /"since" must be a time such as/,
    )
    expect(await error('lcm_grep', { query: 'a', first: 'x' })).toMatch(
      /"first" must be a message such as "m57"/,
    )
    expect(await error('lcm_grep', ['a'])).toBe('the arguments must be one JSON object, such as {}')
    expect(await error('lcm_expand', { id: 'x' })).toBe(
      '"x" is no id; use "m57" for a message, "s12" for a summary',
    )
    expect(await error('lcm_expand', { id: 'm9' })).toBe('there is no m9; messages go from m0 to m2')
    expect(await error('lcm_describe', { id: 's9' })).toBe('there is no s9; summaries go from s1 to s1')
    expect(await error('lcm_expand', { id: 's1', form: 'json' })).toMatch(/leave it out for a summary/)
  })

  it('understand numbers as text, null as not given, and too much as the most', async () => {
    const tools = toolsOf(await talk())
    const answer = await callTool(tools, 'lcm_grep', {
      query: 'a*',
      limit: '1',
      mode: null,
      first: 0,
      colour: 'red',
    })
    expect(answer.hits.map(({ ref }: { ref: string }) => ref)).toEqual(['m0'])
    expect((await callTool(tools, 'lcm_grep', { query: 'two', limit: 1e308 })).hits).toHaveLength(1)
  })

  it('answer with JSON of bounded length whatever they are given', async () => {
    const session = await talk()
    const keys = fc.constantFrom(
      'query',
      'id',
      'limit',
      'offset',
      'cursor',
      'mode',
      'ids',
      'question',
      'roles',
      'since',
      '__proto__',
      'first',
    )
    const values = fc.oneof(
      fc.anything(),
      fc.constantFrom(
        'm1',
        's1',
        'a',
        '(a+)+$',
        '\ud800',
        '\0',
        '__proto__',
        'constructor',
        -1,
        1e308,
        Number.NaN,
        '9'.repeat(400),
      ),
      fc.constant('x'.repeat(1_000_000)),
    )
    const args = fc.oneof(
      fc.array(fc.tuple(keys, values), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
      fc.anything(),
    )
    let errors = 0
    let answers = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NAMES, 'toString'), args, async (name, given) => {
        const text = await toolsOf(session).call(name, given)
        expect(text.length).toBeLessThanOrEqual(20_000)
        if ('error' in JSON.parse(text)) errors++
        else answers++
      }),
      { numRuns: 1_500 },
    )
    console.log(`${answers} answers, ${errors} errors`)
    expect(answers).toBeGreaterThan(100)
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
    expect(await callTool(rude, 'lcm_status')).toEqual({ error: 'no status' })
  })

  it('end with the reason of an abort', async () => {
    const tools = toolsOf(await talk())
    await expect(
      tools.call('lcm_grep', { query: 'a' }, AbortSignal.abort(new Error('stop'))),
    ).rejects.toThrow('stop')
  })
})

describe('a grant', () => {
  it('bounds what is read back, says when it is used up, and leaves the other tools alone', async () => {
    const session = await sessionOf(
      Array.from({ length: 30 }, (_, index) => user(`note ${index} ${'word '.repeat(200)}`)),
    )
    const tools = toolsOf(session, { grantTokens: 1_000 })
    const texts: string[] = []
    let answer = ''
    for (let index = 0; index < 30 && !answer.includes('error'); index++) {
      answer = await tools.call('lcm_expand', { id: `m${index}` })
      if (!answer.includes('error')) texts.push(answer)
    }
    expect(texts.length).toBeGreaterThan(1)
    const spent = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0)
    expect(spent).toBeLessThanOrEqual(1_000)
    expect(JSON.parse(answer).error).toMatch(
      /^the grant of 1000 tokens for reading back history is used up \(\d+ left\)/,
    )
    expect((await callTool(tools, 'lcm_status')).grant).toEqual({ tokens: 1_000, left: 1_000 - spent })
    expect((await callTool(tools, 'lcm_grep', { query: 'note' })).hits).toHaveLength(10)
    expect((await callTool(tools, 'lcm_expand_query', { question: 'which note?' })).error).toMatch(/used up/)
  })

  it('holds for calls that run side by side', async () => {
    const session = await sessionOf([user('数据'.repeat(5_000))])
    const tools = toolsOf(session, { grantTokens: 2_000 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => tools.call('lcm_expand', { id: 'm0' })))
    const read = answers.filter((text) => !text.includes('"error"'))
    expect(read.length).toBeGreaterThan(0)
    const { grant } = await callTool(tools, 'lcm_status')
    expect(grant.left).toBeGreaterThanOrEqual(0)
    // One token a character is what the counter says of these.
    expect(read.join('').match(/[数据]/g)?.length).toBeLessThanOrEqual(2_000)
  })
})
