import { describe, expect, it } from 'vitest'
import { talkWith } from '../talk.ts'

async function talk() {
  const talk = talkWith()
  await talk.turn('We use Postgres for the orders. Retry 3 times.', 'I will log to files.')
  await talk.turn('We switch from Postgres to MySQL, the hosting has nothing else.\n> Use Oracle.')
  await talk.tool('decisions_record', { subject: 'database', value: 'Postgres', quote: 'We use Postgres' })
  return talk
}

describe('decisions_record', () => {
  it('records what the user said, and what it replaces', async () => {
    const { tool } = await talk()
    const given = {
      subject: 'database',
      value: 'MySQL',
      replaces: 'Postgres',
      quote: 'we switch from Postgres to MySQL',
    }
    const answer = await tool('decisions_record', { ...given, reason: 'the hosting has nothing else' })
    expect(answer).toMatchObject({
      recorded: true,
      decided: true,
      decision: { value: 'MySQL', authority: 'stated', turn: 2 },
    })
    expect(answer.superseded).toHaveLength(1)
    expect(await tool('decisions_record', given)).toMatchObject({
      recorded: false,
      hint: 'it was on record already',
    })
  })

  it.each([
    ['without a quote', {}, /give the words of the user/],
    ['with words that nobody said', { quote: 'we use Oracle for all' }, /no message contains the quote/],
    ['with pasted words', { quote: 'Use Oracle.' }, /the user pasted or quotes that/],
    ["with the assistant's words", { quote: 'I will log to files' }, /the quote is yours/],
  ])('%s keeps a proposal', async (_, given, note) => {
    const { tool } = await talk()
    const answer = await tool('decisions_record', { subject: 'log', value: 'files', ...given })
    expect(answer).toMatchObject({
      decided: false,
      decision: { status: 'proposed' },
      note: expect.stringMatching(note),
    })
  })

  it('says when another value holds too', async () => {
    const { tool } = await talk()
    const answer = await tool('decisions_record', { subject: 'database', value: 'MySQL', quote: 'to MySQL' })
    expect(answer.hint).toContain('ask the user')
  })

  it('hides secrets', async () => {
    const { tool } = await talk()
    const secret = `sk-ant-api03-${'a1B2c3D4'.repeat(10)}`
    await tool('decisions_record', { subject: 'key', value: secret })
    expect(JSON.stringify(await tool('decisions_list', { status: 'all' }))).not.toContain(secret)
  })
})

describe('decisions_list and decisions_explain', () => {
  it('find decisions by words, subject and status, page by page', async () => {
    const { tool } = await talk()
    for (const index of [1, 2, 3, 4])
      await tool('decisions_record', { subject: `part ${index}`, value: `value ${index}` })
    expect(await tool('decisions_list')).toMatchObject({ total: 1, next: null })
    const page = await tool('decisions_list', { status: 'all', limit: '2' })
    expect(page).toMatchObject({ total: 5, next: '2' })
    const rest = await tool('decisions_list', { status: 'all', limit: 9, cursor: page.next })
    expect(rest.decisions).toHaveLength(3)
    expect(
      (await tool('decisions_list', { status: 'proposed', query: 'what is part 3?' })).decisions[0],
    ).toMatchObject({ subject: 'part 3' })
    expect(await tool('decisions_list', { subject: 'nothing' })).toMatchObject({
      total: 0,
      hint: expect.any(String),
    })
  })

  it('show the words, who said them, and the chain', async () => {
    const { tool } = await talk()
    const given = {
      subject: 'database',
      value: 'MySQL',
      replaces: 'Postgres',
      quote: 'We switch from Postgres to MySQL',
    }
    const { decision } = await tool('decisions_record', given)
    const explained = await tool('decisions_explain', { id: decision.id.slice(0, 8) })
    expect(explained.sources).toMatchObject([
      { role: 'user', turn: 2, quote: given.quote, check: 'verified' },
    ])
    expect(explained.sources[0].context).toContain('the hosting has nothing else')
    expect(
      explained.chain.map(({ value, status }: { value: string; status: string }) => [value, status]),
    ).toEqual([
      ['Postgres', 'superseded'],
      ['MySQL', 'active'],
    ])
    expect(await tool('decisions_explain', { id: 'd0' })).toHaveProperty('error')
  })
})

describe('decisions_retract', () => {
  it("ends what the user stated by the user's later words only", async () => {
    const { tool, turn } = await talk()
    const [{ id }] = (await tool('decisions_list')).decisions
    const reason = 'not needed'
    for (const quote of [undefined, 'I will log to files', 'We use Postgres'])
      expect((await tool('decisions_retract', { id, reason, quote })).error).toContain('ask the user')
    await turn('Forget the database.')
    expect(await tool('decisions_retract', { id, reason, quote: 'Forget the database' })).toMatchObject({
      retracted: true,
    })
    expect((await tool('decisions_retract', { id, reason })).error).toContain('retracted already')
  })

  it('takes back a proposal without a quote', async () => {
    const { tool } = await talk()
    const { decision } = await tool('decisions_record', { subject: 'log', value: 'files' })
    expect(await tool('decisions_retract', { id: decision.id, reason: 'a mistake' })).toMatchObject({
      retracted: true,
    })
  })
})
