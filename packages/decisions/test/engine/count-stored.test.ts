import { expect, it } from 'vitest'
import { readConversationKey } from '../../src/engine/open-session.ts'
import { countStored, createMemoryDecisionStore } from '../../src/index.ts'
import { talkWith } from './harness.ts'

it('counts what a session has on record of a transcript, each message in its place', async () => {
  const store = createMemoryDecisionStore()
  const count = (messages: typeof talk.history, sessionId = 'talk') =>
    countStored(store, { sessionId }, messages)
  const talk = talkWith({ store })
  await talk.turn("Let's use Postgres for the database.", 'Fine.')
  await talk.turn('For authentication we go with JWT.', 'Fine.')
  const { history } = talk
  expect(await count(history)).toBe(5)
  expect(await count(history.slice(0, 2))).toBe(2)
  expect(await count([...history, { role: 'user', content: 'More.' }])).toBe(5)
  expect(await count(history.with(3, { role: 'user', content: 'Otherwise.' }))).toBe(3)
  expect(await count(history, 'nobody')).toBe(0)
  expect(await count([])).toBe(0)

  // A new conversation of the same session has nothing of it.
  await talk.session.reset()
  await talk.session.prepare([{ role: 'user', content: 'Hello again.' }])
  expect(await count(history)).toBe(0)
  await talk.session.end()
  const keys = (await store.list()).map(({ key }) => readConversationKey(key))
  expect(keys).toEqual(
    expect.arrayContaining([
      { sessionId: 'talk', number: 1 },
      { sessionId: 'talk', number: 2 },
    ]),
  )
})

it.each([
  ['a', 'a', 1],
  ['a~2', 'a', 2],
  ['a~~2', 'a~2', 1],
  ['a~~~12', 'a~', 12],
  ['~~', '~', 1],
])('the key %s is of the session %s, conversation %i', (key, sessionId, number) => {
  expect(readConversationKey(key)).toEqual({ sessionId, number })
})
