import { describe, expect, it } from 'vitest'
import { resolveCandidates } from '../../src/resolve/resolve-candidates.ts'
import type { DecisionsToolsInput } from '../../src/tools/tools-input.ts'
import { talk, toolsOf } from './tools-fixture.ts'

const messages = talk(
  'We use PostgreSQL as the database.',
  'OK.',
  'MySQL is what the new host offers.',
  'OK, I use that.',
)

function begun() {
  const record: DecisionsToolsInput['record'] = async (candidates, by) => {
    const { events } = resolveCandidates(candidates, {
      ledger: fixture.ledger,
      scope: 'session:s1',
      session: 's1',
      edition: 0,
      at: 1,
      by,
      messageAt: (index) => messages[index],
    })
    fixture.ledger.append(events)
    return events
  }
  const fixture = toolsOf(messages, [], [], record)
  const say = (choice: string, quote: string, more: object = {}) =>
    fixture.ask('decisions_record', { slot: 'datastore', choice, quote, ...more })
  return { ...fixture, say }
}

describe('what is recorded by a call goes by the rules of everything else', () => {
  it('a value that replaces another one ends it', async () => {
    const { say, ledger } = begun()
    const first = await say('PostgreSQL', 'We use PostgreSQL as the database')
    expect(first).toMatchObject({ recorded: true, decided: true, superseded: [] })
    const second = await say('MySQL', 'MySQL is what the new host offers', { replaces: 'PostgreSQL' })
    expect(second).toMatchObject({ decided: true, superseded: [first.decision.id] })
    expect(ledger.get(first.decision.id)?.status).toBe('superseded')
  })

  it('without a word of change both stand, until the user says which one holds', async () => {
    const { say } = begun()
    await say('PostgreSQL', 'We use PostgreSQL as the database')
    const second = await say('MySQL', 'MySQL is what the new host offers')
    expect(second).toMatchObject({ decided: true, hint: expect.stringContaining('ask the user') })
    expect(await say('MySQL', 'MySQL is what the new host offers', { replaces: 'PostgreSQL' })).toMatchObject(
      {
        superseded: [expect.any(String)],
      },
    )
  })

  it('the same words twice are on record once', async () => {
    const { say, ledger } = begun()
    await say('PostgreSQL', 'We use PostgreSQL as the database')
    await say('postgres', 'We use PostgreSQL as the database')
    expect(ledger.all).toHaveLength(1)
  })

  it('a proposal of its own decides nothing', async () => {
    const { say, ledger } = begun()
    expect(await say('SQLite', 'SQLite it is')).toMatchObject({ recorded: true, decided: false })
    expect(ledger.all).toMatchObject([{ status: 'proposed', sources: [{ role: 'assistant', message: 3 }] }])
  })
})
