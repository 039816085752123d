import { createContextSession, type Message, messageText } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import decisions from '../../src/index.ts'
import { readingModel } from '../reading-model.ts'
import { blockOf, talkWith, textOf } from '../talk.ts'

const SHOP = {
  "Let's use Postgres": { subject: 'database', value: 'Postgres', l0: 'Database: Postgres' },
  'We switch to MySQL': {
    ...{ subject: 'database', value: 'MySQL', replaces: 'Postgres', reason: 'the operators only run MySQL' },
  },
  'Always answer in Spanish': { kind: 'rule', subject: 'language', value: 'Spanish' },
  "I'm trying to move to Redis": { kind: 'intention', subject: 'cache', value: 'move to Redis' },
  'The launch is on May 3': { kind: 'milestone', subject: 'launch', value: 'May 3', l0: 'Launch on May 3' },
  'I suggest Kafka': { subject: 'queue', value: 'Kafka', l0: 'Queue: Kafka' },
}

/** The turns of the story; the model has read all of them then. */
async function story(options = {}) {
  const model = readingModel(SHOP)
  const store = createSqliteStore({ path: ':memory:' })
  const talk = talkWith({ batch_turns: 2, ...options }, { model, store })
  await talk.turn("Let's use Postgres for the orders.", 'Fine. I suggest Kafka for the queue.')
  await talk.turn('Always answer in Spanish, whatever I write.')
  await talk.turn("I'm trying to move to Redis.")
  await talk.turn('The launch is on May 3.')
  await talk.turn('We switch to MySQL, because the operators only run MySQL.')
  await talk.turn('Thanks.')
  await talk.read()
  return { talk, model, store }
}

describe('a conversation that a model reads', () => {
  it('shows what holds, what it was before, and what nobody has decided', async () => {
    const { talk } = await story()
    const { decisions: listed } = await talk.tool('decisions_list', { status: 'all' })
    expect(listed).toHaveLength(6)
    const shown = textOf(await talk.ask('Which database do we use?'))
    expect(shown).toMatch(
      /database: MySQL \(was Postgres, turn 1 to 5, because the operators only run MySQL\) \[turn 5, d/,
    )
    expect(shown).toMatch(/- "Always answer in Spanish, whatever I write\." \[turn 2/)
    expect(shown).toMatch(/Launch on May 3/)
    expect(shown).toMatch(/cache: move to Redis/)
  })

  it('has the standing rules first in the block at the top, and proposals apart', async () => {
    const { talk, store } = await story()
    await talk.session.end()
    const again = talkWith({}, { store, history: talk.history })
    const block = blockOf(await again.ask('Which database do we use?'))
    const headings = [...block.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([
      'standing rules of the user, word for word',
      'decisions',
      'intended, not decided',
      'proposed by the assistant, not decided',
    ])
    expect(block).toMatch(/queue: Kafka|Queue: Kafka/)
    expect(block).toContain('decisions_record')
  })

  it('takes back what was read in messages that the host takes back', async () => {
    const { talk } = await story()
    const kept = talk.history.slice(0, 9)
    await talk.session.prepare([...kept, { role: 'user', content: 'Go on.' }])
    const { decisions: listed } = await talk.tool('decisions_list')
    expect(listed.map(({ value }: { value: string }) => value)).toContain('Postgres')
    expect(listed.map(({ value }: { value: string }) => value)).not.toContain('MySQL')
  })

  it('begins each request with the one before it, while nothing ends that was shown', async () => {
    const { talk } = await story()
    const requests: (readonly Message[])[] = []
    for (const text of ['Which database?', 'And the cache?', 'What about the launch?'])
      requests.push(await talk.turn(text, 'So.'))
    for (const [index, request] of requests.slice(1).entries()) {
      const before = (requests[index] ?? []).map(messageText)
      expect(request.map(messageText).slice(0, before.length)).toEqual(before)
    }
  })

  it('asks which one holds when the user said two things', async () => {
    const model = readingModel({
      'never written a route': { subject: 'routes', value: 'none written' },
      'wrote the routes': { subject: 'routes', value: 'written' },
    })
    const talk = talkWith({ batch_turns: 1 }, { model })
    await talk.turn('I have never written a route.')
    await talk.read()
    await talk.turn('Yesterday I wrote the routes.')
    await talk.read()
    expect(textOf(await talk.ask('So?'))).toMatch(
      /routes: the user said both none written .* and written .*; ask which one holds/,
    )
  })
})

describe('without a model', () => {
  it('says once that nothing is read, and keeps what the agent records', async () => {
    const session = createContextSession({ engine: decisions, contextLength: 16_000, sessionId: 's' })
    const history: Message[] = [{ role: 'user', content: "Let's use Postgres for the orders." }]
    const { warnings } = await session.prepare(history)
    expect(warnings).toMatchObject([{ code: 'decisions-need-a-model' }])
    expect((await session.prepare([...history, { role: 'assistant', content: 'Fine.' }])).warnings).toEqual(
      [],
    )
    expect(await session.callTool('decisions_list', {})).toMatch(/"total":0.*no model reads/)
    const given = { subject: 'database', value: 'Postgres', quote: "let's use Postgres" }
    expect(JSON.parse(await session.callTool('decisions_record', given))).toMatchObject({ decided: true })
    expect(session.engine.status().details).toMatchObject({
      extraction: 'needs a model',
      on_record: { active: 1 },
    })
  })
})

describe('the profile seed', () => {
  it('renders everything anew, and shows the summary directly before the query', async () => {
    const { talk } = await story({ profile: 'seed' })
    for (let turn = 0; turn < 8; turn++)
      await talk.turn(`Turn ${turn}. ${'We talk about the shop. '.repeat(200)}`)
    await talk.session.compact()
    const messages = await talk.ask('Which database do we use?')
    expect(blockOf(messages)).toContain('MySQL (was Postgres')
    const texts = messages.map(messageText)
    expect(texts.at(-1)).toBe('Which database do we use?')
    expect(texts.at(-2)).toContain('<conversation_summary>')
  })
})

it('holds for every session of a project', async () => {
  const store = createSqliteStore({ path: ':memory:' })
  const options = { project: 'shop', batch_turns: 1 }
  const first = talkWith(options, { store, model: readingModel(SHOP), sessionId: 'first' })
  await first.turn("Let's use Postgres for the orders.")
  await first.read()
  const second = talkWith(options, { store, model: readingModel(SHOP), sessionId: 'second' })
  expect(blockOf(await second.ask('Which database?'))).toMatch(/Database: Postgres \[another session/)
})

describe('a reset', () => {
  it('ends what holds for the session', async () => {
    const { talk } = await story()
    await talk.session.reset()
    talk.history.length = 1
    expect(blockOf(await talk.ask('Which database do we use?'))).toBe('')
    expect(await talk.tool('decisions_list', { status: 'all' })).toMatchObject({ total: 0 })
  })

  it('leaves what holds for a project, also after a restart', async () => {
    const { talk, store } = await story({ project: 'shop' })
    await talk.session.reset()
    talk.history.length = 1
    expect(blockOf(await talk.turn('Which database do we use?'))).toContain('MySQL (was Postgres')
    const again = talkWith({ project: 'shop' }, { store, history: talk.history })
    expect(blockOf(await again.ask('And the launch?'))).toContain('MySQL (was Postgres')
  })
})
