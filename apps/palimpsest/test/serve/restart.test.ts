import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CompletionModel } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { runHere } from '../lcm/run-here.ts'
import type { Caller } from './described-service.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { scripted, startTestService, words } from './test-service.ts'

/** Answers with all that it is shown. */
const parrot = {
  answer: scripted(({ messages }) => words(messages.map(({ content }) => String(content)).join('\n'))),
}

describe.each(['compressor', 'lcm', 'decisions'])('after a restart, with %s', (engine) => {
  it('a conversation goes on where it was, and costs go on too', async () => {
    const store = join(await temporaryFolder(), 'serve.db')
    const first = await startTestService({ engine, store, models: parrot })
    await first.post('/init', { session: 's', repoName: 'kinto' })
    await first.post('/query', {
      session: 's',
      query: 'the port is 4711',
      relevantCodes: ['def a(): pass'],
      requestId: 'r',
    })
    await first.post('/query', { session: 'other', query: 'nothing here' })
    await first.close()

    const second = await startTestService({ engine, store, models: parrot })
    expect((await second.get('/state?session=s')).body).toMatchObject({ turn: 1, repoName: 'kinto' })
    expect(
      (
        await second.post('/query', {
          session: 's',
          query: 'the port is 4711',
          relevantCodes: ['def a(): pass'],
          requestId: 'r',
        })
      ).body,
    ).toMatchObject({ turn: 1, repeated: true })
    const { body } = await second.post('/query', { session: 's', query: 'and the host?' })
    expect(body.turn).toBe(2)
    for (const part of [
      'the port is 4711',
      'def a(): pass',
      '<repository>kinto</repository>',
      'and the host?',
    ])
      expect(body.answer).toContain(part)
    expect((await second.get('/costs?session=s')).body.purposes.answer).toMatchObject({
      calls: 2,
      promptTokens: 200,
    })
    expect((await second.get('/costs')).body.total).toMatchObject({ calls: 3, cachedTokens: 120 })
  })

  it('the page lists what is stored, shows what was said, and goes on with it', async () => {
    const store = join(await temporaryFolder(), 'serve.db')
    const first = await startTestService({ engine, store, models: parrot })
    for (const session of ['a', 'b']) await first.post('/query', { session, query: `the port of ${session}` })
    await first.close()

    const second = await startTestService({ engine, store, models: parrot })
    const read = (path: string) => fetch(`${second.url}${path}`)
    // biome-ignore lint/suspicious/noExplicitAny: what comes is what the test is about.
    const json = async (path: string): Promise<any> => (await read(path)).json()
    const listed = async () => (await json('/api/sessions')).sessions
    expect((await listed()).map(({ id }: { id: string }) => id).toSorted()).toEqual(['a', 'b'])
    expect(await listed()).toMatchObject([{ isStored: true, messages: 3 }, { isStored: true }])
    const { view } = await json('/api/sessions/a')
    const texts = view.messages.map(({ text }: { text: string }) => text)
    expect(texts).toHaveLength(3)
    expect(texts[1]).toBe('the port of a')
    expect(view.requests).toEqual([])

    await second.post('/query', { session: 'a', query: 'and the host?' })
    expect(await listed()).toMatchObject([{ id: 'a' }, { id: 'b', isStored: true }])
    expect((await listed())[0].isStored).toBeUndefined()
    expect((await json('/api/sessions/a')).view.requests).not.toEqual([])
    expect((await read('/api/sessions/nothing')).status).toBe(404)
  })

  it('what was begun anew stays gone, and its requests are forgotten', async () => {
    const store = join(await temporaryFolder(), 'serve.db')
    const first = await startTestService({ engine, store, models: parrot })
    await first.post('/query', { query: 'alpha', requestId: 'r' })
    await first.post('/init', {})
    await first.close()
    const second = await startTestService({ engine, store, models: parrot })
    const { body } = await second.post('/query', { query: 'beta', requestId: 'r' })
    expect(body.turn).toBe(1)
    expect(body.answer).not.toContain('alpha')
    expect((await second.get('/costs?session=default')).body.total.calls).toBe(1)
    expect((await second.get('/costs')).body.total.calls).toBe(2)
  })

  it('a turn that was never answered is not there, whatever is said instead', async () => {
    const store = join(await temporaryFolder(), 'serve.db')
    const never = { answer: scripted(() => new Promise<never>(() => {})) }
    const limits = { timeLimit: 150 }
    const first = await startTestService({ engine, store, models: never, limits })
    expect((await first.post('/query', { query: 'use MongoDB' })).status).toBe(504)
    await first.close()
    const second = await startTestService({ engine, store, models: parrot })
    expect((await second.get('/state')).body.turn).toBe(0)
    const said = await second.post('/query', { query: 'use Postgres' })
    expect(said.body.turn).toBe(1)
    await second.close()
    const third = await startTestService({ engine, store, models: parrot })
    const { body } = await third.post('/query', { query: 'what do we use?' })
    expect(body.answer).toContain('use Postgres')
    expect(body.answer).not.toContain('MongoDB')
  })
})

describe('with the compressor, whose summary is nowhere else', () => {
  // Without usage: that of the fake would say that every prompt is small.
  const answer = scripted(() => ({
    message: { role: 'assistant', content: `Noted. ${'The parser reads tokens. '.repeat(300)}` },
    finishReason: 'stop',
  }))
  const serve = async (store: string) => {
    const prompts: string[] = []
    const compaction: CompletionModel = {
      name: 'double:summariser',
      async complete({ prompt }) {
        prompts.push(prompt)
        return { text: '## Goal\nThe parser of src/parse.ts is written step by step.', finishReason: 'stop' }
      },
    }
    const models = { answer, compaction }
    return { prompts, service: await startTestService({ store, window: 32_000, models }) }
  }
  const talk = async ({ post }: Caller, from: number, to: number) => {
    let compactions = 0
    for (let turn = from; turn < to; turn++)
      compactions += (await post('/query', { query: `Turn ${turn}: what is next?` })).body.compactions
    return compactions
  }

  it('the last summary is shown again, and the next one is made of it', async () => {
    const store = join(await temporaryFolder(), 'serve.db')
    const first = await serve(store)
    expect(await talk(first.service, 0, 30)).toBeGreaterThan(0)
    const before = (await first.service.get('/state')).body
    expect(before.summary).toContain('The parser of src/parse.ts is written step by step.')
    await first.service.close()

    const second = await serve(store)
    const { summary } = before
    expect((await second.service.get('/state')).body).toMatchObject({ summary, compactions: 0 })
    expect(second.prompts).toEqual([])
    const more = await talk(second.service, 30, 60)
    expect(more).toBeGreaterThan(0)
    expect(second.prompts[0]).toContain('<previous_summary>')
    expect(second.prompts[0]).not.toContain('Turn 0:')
    expect((await second.service.get('/state')).body.compactions).toBe(more)
  })
})

it('goes on with a session that was imported', async () => {
  const folder = await temporaryFolder()
  const store = join(folder, 'sessions.db')
  const said = [
    { role: 'system', content: 'Another prompt.' },
    { role: 'user', content: 'the port is 4711' },
    { role: 'assistant', content: 'Noted.' },
  ]
  await writeFile(join(folder, 'shop.json'), JSON.stringify(said))
  await runHere(['store', 'import', 'shop.json', '--store', store], folder)
  const service = await startTestService({ store, models: parrot })
  const { body } = await service.post('/query', { session: 'shop', query: 'and the host?' })
  expect(body).toMatchObject({ turn: 2, warnings: [] })
  expect(body.answer).toContain('the port is 4711')
  expect(body.answer).not.toContain('Another prompt.')
})
