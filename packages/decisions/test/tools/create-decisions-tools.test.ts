import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createStory } from '../render/said.ts'
import { stories } from '../render/stories.ts'
import { talk, toolsOf } from './tools-fixture.ts'

const NAMES = ['decisions_list', 'decisions_explain', 'decisions_record', 'decisions_retract']

/** Arguments that take only some words or numbers. */
const CHOSEN: Readonly<Record<string, unknown>> = {
  status: 'all',
  category: 'decisions',
  scope: 'session',
  limit: 3,
  cursor: '0',
}

describe('the tools', () => {
  it('are offered with a description and a description of every argument', () => {
    const { schemas } = toolsOf([])
    expect(schemas.map((schema) => schema.function.name)).toEqual(NAMES)
    for (const { function: tool } of schemas) {
      expect(tool.description?.length).toBeGreaterThan(100)
      const { properties } = tool.parameters as { properties: Record<string, { description?: string }> }
      for (const property of Object.values(properties)) expect(property.description).toBeTruthy()
    }
    expect(JSON.parse(JSON.stringify(schemas))).toEqual(schemas)
  })

  it.each([
    ['decisions_find', {}, `there is no tool decisions_find; use ${NAMES.join(', ')}`],
    ['decisions_list', ['a'], 'the arguments must be one JSON object, such as {}'],
    ['decisions_list', { colour: 'red' }, 'there is no argument "colour"; there are: query, slot, status,'],
    ['decisions_list', { ['__proto__']: 1 }, 'there is no argument "__proto__"; there are: query,'],
    ['decisions_list', { status: 'old' }, '"status" is wrong'],
    ['decisions_list', { limit: 0 }, '"limit" is wrong'],
    ['decisions_list', { cursor: 'next' }, '"cursor" is wrong'],
    ['decisions_explain', {}, '"id" is wrong'],
    [
      'decisions_explain',
      { id: 'd123456789ab' },
      'there is no decision "d123456789ab"; decisions_list gives their ids',
    ],
    ['decisions_explain', { id: 'd' }, 'there is no decision "d"'],
    ['decisions_record', { slot: 'auth' }, '"choice" is wrong'],
    ['decisions_record', { slot: 'auth', choice: '  ' }, '"choice" is wrong'],
    ['decisions_record', { slot: 'auth', choice: 'JWT' }, 'nothing was said in this session yet'],
    ['decisions_retract', { id: 'd123456789ab' }, '"reason" is wrong'],
  ])('say what to do when a call is wrong: %s %j', async (name, args, message) => {
    expect((await toolsOf([]).ask(name, args)).error).toContain(message)
  })

  it('answer with JSON of bounded length whatever they are given', async () => {
    const story = createStory()
    const id = story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 1, text: 'we use JWT' })
    const values = fc.oneof(
      fc.anything(),
      fc.constantFrom<unknown>(
        id,
        id.slice(0, 8),
        'JWT',
        'auth',
        'we use JWT',
        '(a+)+$',
        '\ud800',
        '\0',
        '__proto__',
        'all',
        'session',
        -1,
        1e308,
        Number.NaN,
        '9'.repeat(400),
      ),
      fc.constant('x'.repeat(1_000_000)),
    )
    const known = toolsOf([]).schemas.map(({ function: { name, parameters } }) => ({
      name,
      keys: Object.keys((parameters as { properties: object }).properties),
    }))
    const calls = fc.constantFrom(...known, { name: 'toString', keys: ['id'] }).chain(({ name, keys }) => {
      const entries = fc.array(fc.tuple(fc.constantFrom(...keys), values), { maxLength: 4 })
      const given = entries.map((list) => Object.fromEntries(list))
      const texts = fc.constantFrom(
        id.slice(0, 8),
        'auth',
        'JWT',
        'we use JWT',
        '\ud800\0',
        '</project_decisions>',
      )
      const fitting = (key: string) => (key in CHOSEN ? fc.constant(CHOSEN[key]) : texts)
      const shapes = Object.fromEntries(keys.map((key) => [key, fitting(key)]))
      const likely = fc.record(shapes, { requiredKeys: [] })
      return fc.tuple(fc.constant(name), fc.oneof(given, likely, likely, fc.anything()))
    })
    let errors = 0
    let answers = 0
    await fc.assert(
      fc.asyncProperty(calls, async ([name, given]) => {
        const answer = await toolsOf(talk('we use JWT', 'fine'), story.events).text(name, given)
        expect(answer.length).toBeLessThanOrEqual(20_000)
        if ('error' in JSON.parse(answer)) errors++
        else answers++
      }),
      { numRuns: 1_500 },
    )
    console.log(`${answers} answers, ${errors} errors`)
    expect(answers).toBeGreaterThan(100)
  })

  it('answer about whatever is on record, page by page, without an error', async () => {
    let explained = 0
    await fc.assert(
      fc.asyncProperty(stories(), fc.integer({ min: 1, max: 7 }), async ({ events, artifacts }, limit) => {
        const { ask, ledger } = toolsOf(talk('a', 'b'), events, artifacts)
        const listed: string[] = []
        for (let cursor: string | null = '0'; cursor !== null; ) {
          const page = await ask('decisions_list', { status: 'all', limit, cursor })
          expect(page.total).toBe(ledger.all.length)
          listed.push(...page.decisions.map(({ id }) => id))
          cursor = page.next
        }
        expect(listed).toEqual(ledger.all.map(({ id }) => id))
        for (const id of listed) {
          const answer = await ask('decisions_explain', { id })
          expect(answer.error).toBeUndefined()
          expect(answer.sources.length).toBeGreaterThan(0)
          explained++
        }
      }),
      { numRuns: 60 },
    )
    console.log(`${explained} explained`)
    expect(explained).toBeGreaterThan(300)
  })

  it('report what a store throws, and end with the reason of an abort', async () => {
    const { schemas, ...tools } = toolsOf([])
    expect(schemas).toHaveLength(4)
    const stopped = tools.text('decisions_list', {}, AbortSignal.abort(new Error('stop')))
    await expect(stopped).rejects.toThrow('stop')
    const broken = toolsOf([])
    Object.defineProperty(broken.ledger, 'all', {
      get: () => {
        throw new Error('the disk is gone')
      },
    })
    expect(await broken.ask('decisions_list')).toEqual({ error: 'the disk is gone' })
  })
})
