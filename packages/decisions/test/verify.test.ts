import { DatabaseSync } from 'node:sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { describe, expect, it } from 'vitest'
import { verifyDecisions } from '../src/index.ts'
import { AT, asserted, assertions, job, message, talk, texts, withdrawn } from '../src/store-tests/talk.ts'
import { eventFault } from '../src/verify.ts'
import { useFolders } from './sqlite/store-folder.ts'

const { open, path: newPath } = useFolders()

async function filled(path: string) {
  const store = open(path)
  const session = await talk(store, 'a', ...texts(6))
  await session.commit({ events: assertions('a', 0, ...texts(4)), jobs: [job('a', 0, 2)] }, AT)
  return { store, session }
}

describe('a store', () => {
  it('is proved with what was taken back since', async () => {
    const { store, session } = await filled(newPath())
    await session.commit({ replaceFrom: 3, events: [withdrawn('a', 3, 0)] }, AT)
    expect(await verifyDecisions(store)).toEqual({ sessions: 1, events: 5, sources: 3, faults: [] })
    expect(await verifyDecisions(store, { key: 'b' })).toMatchObject({ sessions: 0, events: 0 })
  })

  it.each([
    [
      'a value that was changed',
      `UPDATE event SET json = replace(json, '"value":"text 0"', '"value":"other"')`,
      'decision-id',
    ],
    [
      'a quote that was changed',
      `UPDATE event SET json = replace(json, '"quote":"text 0"', '"quote":"text 9"')`,
      'quote-hash',
    ],
    [
      'another authority',
      `UPDATE event SET json = replace(json, '"authority":"proposed"', '"authority":"stated"')`,
      'source-authority',
    ],
    [
      'a message that was changed',
      `UPDATE source SET json = replace(json, 'text 2', 'text x') WHERE message = 2`,
      'source-text',
    ],
    ['a message that is gone', 'DELETE FROM source WHERE message = 1', 'message-missing'],
    [
      'a session that is another',
      `UPDATE event SET json = replace(json, '"session":"a"', '"session":"b"')`,
      'event-id',
    ],
    ['a row that is no JSON', `UPDATE source SET json = 'x' WHERE message = 1`, 'unreadable'],
  ])('with %s is not what was stored', async (_, statement, code) => {
    const path = newPath()
    const { store } = await filled(path)
    const database = new DatabaseSync(path)
    createSql(database).exec(statement)
    database.close()
    const { faults } = await verifyDecisions(store)
    expect(faults.map((fault) => fault.code)).toContain(code)
  })
})

it('an event proves itself by its shape, its quote and its id', () => {
  const event = asserted('a', message(0, 'MySQL'))
  expect(eventFault(event)).toBeUndefined()
  expect(eventFault({ ...event, at: -1 })?.code).toBe('event-shape')
  expect(eventFault({ ...event, id: 'e000000000000' })?.code).toBe('event-id')
  expect(eventFault(asserted('a', message(0, '')))?.code).toBe('quote-empty')
})
