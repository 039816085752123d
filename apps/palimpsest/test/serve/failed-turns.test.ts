import { describe, expect, it } from 'vitest'
import { readingModel } from '../../../../packages/decisions/test/reading-model.ts'
import { scripted, startTestService, type TestService, words } from './test-service.ts'

const SHOP = 'decisions:\n  project: shop\n  batch_turns: 1\n'

/** What holds on the subject of the database. */
async function databases(service: TestService, session: string): Promise<string[]> {
  const { body } = await service.get(`/state?session=${session}`)
  return body.decisions.decisions
    .filter(
      ({ subject, status }: { subject: string; status: string }) =>
        subject === 'database' && status === 'active',
    )
    .map(({ value }: { value: string }) => value)
}

/** Fails as it is told, and repeats its prompt otherwise. */
const moody = scripted(({ messages }) => {
  const asked = String(messages.at(-1)?.content)
  if (asked.includes('(fail)')) throw new Error('no')
  if (asked.includes('(hang)')) return new Promise<never>(() => {})
  if (asked.includes('(mute)')) return words(' ')
  return words(messages.map(({ content }) => String(content)).join('\n'))
})

const reader = readingModel({
  'We use Postgres': { subject: 'database', value: 'Postgres' },
  'We switch to MongoDB': { subject: 'database', value: 'MongoDB', replaces: 'Postgres' },
})

describe.each(['fail', 'hang', 'mute', 'abort'])('a turn that is not kept (%s)', (way) => {
  const start = (config: string) =>
    startTestService({
      engine: 'decisions',
      config,
      models: { answer: moody, extraction: reader },
      ...(way === 'hang' && { limits: { timeLimit: 300 } }),
    })
  const failTurn = async (service: TestService, session: string) => {
    const query = `We switch to MongoDB as our database. (${way === 'abort' ? 'hang' : way})`
    if (way !== 'abort') return (await service.post('/query', { query, session })).status
    const gone = service.post('/query', { query, session }, { signal: AbortSignal.timeout(100) })
    return gone.then(
      () => 200,
      () => 0,
    )
  }

  it('decides nothing, neither in its session nor in another one of the project', async () => {
    const service = await start(SHOP)
    await service.post('/query', { query: 'We use Postgres as our database.', session: 'a' })
    await expect.poll(() => databases(service, 'a')).toEqual(['Postgres'])
    expect(await failTurn(service, 'a')).not.toBe(200)
    // The session's own queue waits for what is left of the turn; another session's does not.
    if (way === 'abort') await service.get('/state?session=a')
    const { body } = await service.post('/query', { query: 'Which database is it?', session: 'b' })
    expect(body.answer).toContain('Postgres')
    expect(body.answer).not.toContain('MongoDB')
    expect(await databases(service, 'a')).toEqual(['Postgres'])
    expect(await databases(service, 'b')).toEqual(['Postgres'])
    const next = await service.post('/query', { query: 'And here?', session: 'a' })
    expect(next.body.answer).not.toContain('We switch to MongoDB')
    expect(next.body).toMatchObject({ turn: 2, warnings: [] })
  })
})
