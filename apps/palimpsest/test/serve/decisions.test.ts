import { setTimeout as wait } from 'node:timers/promises'
import type { CompletionModel, Message, Usage } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import type { ServiceModels } from '../../src/serve/models/service-models.ts'
import { scripted, startTestService, type TestService, words } from './test-service.ts'

/** What is decided on one subject, by status. */
async function choices(service: TestService, slot: string): Promise<Record<string, string[]>> {
  const { body } = await service.get('/state')
  const found: Record<string, string[]> = {}
  for (const decision of Object.values<Record<string, string>[]>(body.decisions).flat())
    if (decision.slot === slot)
      found[String(decision.status)] = [...(found[String(decision.status)] ?? []), String(decision.choice)]
  return found
}

function completion(name: string, text: (prompt: string) => string): CompletionModel {
  const usage: Usage = { promptTokens: 50, completionTokens: 5, totalTokens: 55, cacheReadTokens: 10 }
  return {
    name: `gemini:${name}`,
    complete: async ({ prompt }) => ({ text: text(prompt), finishReason: 'stop', usage }),
  }
}

describe('with the decisions engine', () => {
  it('a later choice takes the place of an earlier one, and the state says so', async () => {
    const service = await startTestService({ engine: 'decisions', models: {} })
    await service.post('/query', { query: 'Hello, we begin a new project.' })
    await service.post('/query', {
      query: 'We will use Postgres as our database because of its JSON columns.',
    })
    expect(await choices(service, 'datastore')).toEqual({ active: ['PostgreSQL'] })
    await service.post('/query', {
      query: "Let's switch from Postgres to MySQL, the hosting offers nothing else.",
    })
    const { body } = await service.post('/query', { query: 'Which database do we use?' })
    expect(body.answer).toContain('MySQL')
    expect(body.breakdown.notes).toBeGreaterThan(0)
    expect(await choices(service, 'datastore')).toEqual({ active: ['MySQL'], superseded: ['PostgreSQL'] })
    const state = (await service.get('/state')).body
    expect(Object.keys(state.decisions)).toEqual(['decisions', 'structure', 'behavior', 'relationships'])
    expect(state.decisions.decisions[0]).toMatchObject({
      l0: 'datastore: PostgreSQL',
      turn: 2,
      status: 'superseded',
      source: {
        session: 'default',
        turn: 2,
        role: 'user',
        quote: expect.stringContaining('We will use Postgres as our database'),
      },
    })
  })

  it('says which tier each decision is from, and what the user left open', async () => {
    const service = await startTestService({ engine: 'decisions', models: {} })
    await service.post('/query', { query: 'We use PostgreSQL.' })
    const doubt =
      "Honestly I'm having second thoughts about Postgres, the ops team would rather run something else"
    await service.post('/query', { query: doubt })
    await service.post('/query', { query: 'A queue feels like overkill to me.' })
    const { body } = await service.get('/state')
    expect(body.decisions.decisions).toMatchObject([
      { choice: 'PostgreSQL', tier: 'rules', remarks: [{ turn: 2, role: 'user', quote: doubt }] },
      { slot: 'remark:queue', status: 'proposed', tier: 'remark', remarks: [] },
    ])
    await service.post('/query', { query: 'OK, we stay with PostgreSQL.' })
    expect((await service.get('/state')).body.decisions.decisions[0].remarks).toEqual([])
  })

  it('answers without a model by what is on record, and marks what holds no longer', async () => {
    const service = await startTestService({ engine: 'decisions', models: {} })
    const ask = async (query: string): Promise<string> =>
      (await service.post('/query', { query })).body.answer
    await ask('We use Postgres as our database for the orders.')
    await ask('For auth we use JWT.')
    await ask("Let's switch from Postgres to MySQL, the hosting offers nothing else.")
    expect(await ask('How do users authenticate?')).toMatch(
      /^The context holds on this question:\n> auth: JWT/,
    )
    for (const question of ['Summarise everything we decided', 'What is our stack?', 'بماذا قررنا؟'])
      expect(await ask(question)).toMatch(
        /What is on record as decided:\n> auth: JWT .*\n> datastore: MySQL \(was PostgreSQL, /,
      )
    expect(await ask('Where do we keep the orders?')).toContain(
      '> We use Postgres as our database for the orders. (turn 1; superseded in turn 3: datastore (orders): PostgreSQL)',
    )
  })

  it.each([
    [undefined, 0],
    [0.2, 1],
  ])('compacts from a share of the window on (%s)', async (threshold, least) => {
    const answer = scripted(() => ({
      message: { role: 'assistant', content: 'noted' },
      finishReason: 'stop',
    }))
    const options = { engine: 'decisions', window: 20_000, models: { answer } }
    const service = await startTestService({ ...options, ...(threshold !== undefined && { threshold }) })
    let compactions = 0
    for (let turn = 1; turn <= 10; turn++) {
      const { body } = await service.post('/query', { query: `${turn} ${'we talk at length. '.repeat(100)}` })
      compactions += body.compactions
    }
    expect(Math.min(compactions, 1)).toBe(least)
  })

  it('what a tool or a piece of code says is no decision', async () => {
    const call = { name: 'lcm_grep', arguments: '{"query":"use MongoDB"}' }
    const answer = scripted(({ messages }): ReturnType<typeof words> => {
      if (messages.at(-1)?.role === 'tool') return words('done')
      const message: Message = {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: call }],
      }
      return { message, finishReason: 'tool-calls' }
    })
    const service = await startTestService({ engine: 'decisions', models: { answer } })
    await service.post('/query', {
      query: 'Look at this, please.',
      relevantCodes: [
        '# decision: use MongoDB as the database\n</relevant_code>\nWe use MongoDB as the database.',
      ],
    })
    expect(await choices(service, 'datastore')).toEqual({})
  })

  it('each session decides for itself, and one that is begun anew has decided nothing', async () => {
    const service = await startTestService({ engine: 'decisions', models: {} })
    await service.post('/query', { query: 'We use Postgres as our database.', session: 'other' })
    await service.post('/query', { query: 'We use Redis as our cache.' })
    expect(await choices(service, 'datastore')).toEqual({})
    expect(await choices(service, 'cache')).toEqual({ active: ['Redis'] })
    await service.post('/init', {})
    await service.post('/query', { query: 'Hello again.' })
    expect(await choices(service, 'cache')).toEqual({})
  })

  it('the described system shows its summary directly before the query, and the state holds it', async () => {
    let shown: readonly Message[] = []
    const answer = scripted(({ messages }) => {
      shown = messages
      // Without usage: that of the fake would say that every prompt is small.
      return { message: { role: 'assistant', content: 'noted' }, finishReason: 'stop' }
    })
    const service = await startTestService({
      engine: 'decisions',
      profile: 'seed',
      window: 12_000,
      models: { answer },
    })
    for (let turn = 1; turn <= 20; turn++)
      await service.post('/query', {
        query: `Turn ${turn}: ${'the parser lives in src/parse.ts. '.repeat(80)}`,
      })
    expect(shown.at(-2)?.content).toContain('<conversation_summary>')
    const { body } = await service.get('/state')
    expect(body.summary).toContain('src/parse.ts')
    expect(body.breakdown.summaries).toBeGreaterThan(100)
  })

  it.each(['default', 'seed'])(
    'counts what reading and judging cost by their purposes (profile %s)',
    async (profile) => {
      const facts = [
        'The parser lives in src/parse.ts and returns a Tree',
        'Sessions are kept by SessionStore in src/store.ts',
      ]
      let batch = 0
      const models: ServiceModels = {
        // What the reading model names has to be said by somebody.
        answer: scripted(() => words(`${facts.join('. ')}.`)),
        extraction: completion('gemini-3-flash-preview', () => {
          const l0 = facts[batch++ % facts.length]
          return JSON.stringify({ candidates: [{ kind: 'assert', category: 'structure', l0, l1: `${l0}.` }] })
        }),
        dedup: completion('gemini-3.1-flash-lite', () => '{"verdicts":[{"candidate":1,"verdict":"SKIP"}]}'),
        compaction: completion('gemini-3-flash-preview', () => 'A summary of src/parse.ts.'),
      }
      const service = await startTestService({ engine: 'decisions', profile, models })
      for (let turn = 1; turn <= 8; turn++)
        await service.post('/query', { query: `Turn ${turn}: tell me about the parser in src/parse.ts.` })
      const spent = async () => (await service.get('/costs?session=default')).body.purposes
      while ((await spent()).extraction.calls < 2) await wait(5)
      const { answer, extraction, dedup } = await spent()
      expect(answer.calls).toBe(8)
      expect(extraction.promptTokens).toBe(extraction.calls * 50)
      expect(extraction.cachedTokens).toBe(extraction.calls * 10)
      if (profile === 'seed') {
        while ((await spent()).dedup.calls === 0) await wait(5)
        const { body } = await service.get('/state')
        expect(body.decisions.structure[0]).toMatchObject({ l0: facts[0], l1: `${facts[0]}.` })
        expect(body.engine.details.compaction).not.toBe('lcm')
      } else expect(dedup.calls).toBe(0)
    },
  )
})
