import { describe, expect, it } from 'vitest'
import { createMemoryDecisionStore } from '../../src/index.ts'
import { blockOf, talkWith } from './harness.ts'

describe('a session that begins again on the same store', () => {
  it('knows what was decided, and records nothing twice', async () => {
    const store = createMemoryDecisionStore()
    const first = talkWith({ store })
    await first.turn("Let's use Postgres for the database.", 'Fine.')
    await first.turn('For authentication we go with JWT.', 'Fine.')
    await first.session.end()
    const before = await store.events({ scopes: ['session:talk'] })

    const second = talkWith({ store }, { history: first.history })
    const messages = await second.turn('What did we decide?', 'Postgres and JWT.')
    expect(blockOf(messages)).toMatch(/Postgre/)
    expect(blockOf(messages)).toMatch(/JWT/)
    const after = await store.events({ scopes: ['session:talk'] })
    expect(after.map(({ event }) => event.id)).toEqual(before.map(({ event }) => event.id))
    await second.session.end()
  })

  it('takes up its summary instead of writing it again', async () => {
    const store = createMemoryDecisionStore()
    const prompts: string[] = []
    const model = {
      name: 'scripted',
      async complete({ prompt }: { prompt: string }) {
        prompts.push(prompt)
        const isReading = prompt.includes('<turns>')
        const text = isReading ? '{"candidates": []}' : '## Conclusions\nThe marker word is zanzibar.'
        return { text, finishReason: 'stop' as const }
      },
    }
    const first = talkWith({ store }, { model })
    const long = 'The layout of this screen was looked at in every detail. '.repeat(60)
    for (let turn = 1; turn <= 16; turn++) await first.turn(`Screen ${turn}, please. ${long}`, long)
    expect(first.compactions).toBeGreaterThan(0)
    await first.session.end()

    const asked = prompts.length
    const second = talkWith({ store }, { model, history: first.history })
    const messages = await second.ask('Go on.')
    expect(second.compactions).toBe(1)
    expect(JSON.stringify(messages)).toContain('zanzibar')
    const again = prompts.slice(asked).filter((prompt) => prompt.includes('<conversation>'))
    // What the summary of the first life stands for is not read again.
    expect(again.every((prompt) => !prompt.includes('[user] Screen 1, please.'))).toBe(true)
    await second.session.end()
  })
})

describe('a host that takes messages back', () => {
  it('takes back what they decided, and what they ended holds again', async () => {
    const store = createMemoryDecisionStore()
    const talk = talkWith({ store })
    await talk.turn("Let's use Postgres for the database.", 'Fine.')
    await talk.turn('We switch from Postgres to MySQL.', 'Fine.')
    expect(blockOf(await talk.ask('Which one?'))).toMatch(/MySQL \(was Postgre/)
    talk.history.splice(3)
    const messages = await talk.ask('Which one, again?')
    expect(blockOf(messages)).toMatch(/Postgre/)
    expect(blockOf(messages)).not.toMatch(/MySQL/)
    await talk.session.end()
  })
})

describe('a project', () => {
  it('keeps its decisions for the next session', async () => {
    const store = createMemoryDecisionStore()
    const first = talkWith({ store, project: 'shop' }, { sessionId: 'monday' })
    await first.turn("Let's use Postgres for the database.", 'Fine.')
    await first.session.end()
    const second = talkWith({ store, project: 'shop' }, { sessionId: 'tuesday' })
    expect(blockOf(await second.ask('Which database do we use?'))).toMatch(/Postgre/)
    const other = talkWith({ store, project: 'garden' }, { sessionId: 'tuesday too' })
    expect(blockOf(await other.ask('Which database do we use?'))).toBe('')
    for (const { session } of [second, other]) await session.end()
  })

  it('sees what another session decides meanwhile', async () => {
    const store = createMemoryDecisionStore()
    const one = talkWith({ store, project: 'shop' }, { sessionId: 'one' })
    const two = talkWith({ store, project: 'shop' }, { sessionId: 'two' })
    await one.turn('Hello there.', 'Hello.')
    await two.turn("Let's use Postgres for the database.", 'Fine.')
    expect(JSON.stringify(await one.ask('Which database do we use?'))).toMatch(/Postgre/)
    for (const { session } of [one, two]) await session.end()
  })
})

describe('a new conversation in the same session', () => {
  it('begins without the decisions of the one before', async () => {
    const talk = talkWith({})
    await talk.turn("Let's use Postgres for the database.", 'Fine.')
    await talk.session.reset()
    talk.history.splice(1)
    expect(blockOf(await talk.ask('Which database do we use?'))).toBe('')
    await talk.session.end()
  })
})
