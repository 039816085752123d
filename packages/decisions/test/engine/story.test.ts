import { type Message, messageText } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { describe, expect, it } from 'vitest'
import { blockOf, type Talk, talkWith, textOf } from './harness.ts'

/** Work that has nothing to do with what was decided, about 900 tokens a turn. */
const chatter = (turn: number) =>
  `Please look at the layout of screen ${turn} once more and tell me what you think of the spacing there.`
const answer = (turn: number) =>
  `On screen ${turn} the spacing follows the grid. ${'The left column breathes well and the right one is a little tight. '.repeat(50)}`

/** Postgres at turn 3, a rule for its tables at 8, JWT at 12, and then so many turns about something else. */
async function tell(talk: Talk, upTo: number, saidAt: Readonly<Record<number, string>> = {}): Promise<void> {
  const story: Readonly<Record<number, string>> = {
    3: "Let's use Postgres for the database.",
    8: 'Every Postgres table must have a created_at column.',
    12: 'For authentication we go with JWT.',
    ...saidAt,
  }
  for (let turn = 1; turn <= upTo; turn++) await talk.turn(story[turn] ?? chatter(turn), answer(turn))
}

describe.each([
  ['with its own compaction', {}],
  ['as the seed describes it', { profile: 'seed' as const }],
  ['over lcm', { compaction: { engine: lcm as never, options: {} } }],
])('the decision of turn 3, %s', (_, options) => {
  it('is in front of the model forty turns and two compactions later', async () => {
    const talk = talkWith(options)
    await tell(talk, 52)
    expect(talk.compactions).toBeGreaterThanOrEqual(2)
    const messages = await talk.ask('Which database, and which authentication?')
    const block = blockOf(messages)
    expect(block).toMatch(/PostgreSQL|Postgres/)
    expect(block).toMatch(/JWT/)
    expect(block).toMatch(/must have a created_at column/)
    await talk.session.end()
  })

  it('is replaced where the user replaces it, and the model reads what it was', async () => {
    const talk = talkWith(options)
    const change = 'We switch from Postgres to MySQL because the operators only run MySQL.'
    await tell(talk, 52, { 27: change })
    expect(talk.compactions).toBeGreaterThanOrEqual(2)
    const messages = await talk.ask('Which database do we use?')
    const line = blockOf(messages)
      .split('\n')
      .find((text) => /datastore|database/i.test(text) && text.includes('MySQL'))
    expect(line).toMatch(/MySQL \(was Postgre(?:s|SQL), turns 3 to 27, because the operators only run MySQL/)
    // The rule rests on what was given up.
    expect(blockOf(messages)).toMatch(/suspect/)
    await talk.session.end()
  })
})

it('says at once that a decision changed, because the block at the top would mislead', async () => {
  const talk = talkWith()
  await tell(talk, 14)
  const before = blockOf(await talk.turn(chatter(15), answer(15)))
  const same = blockOf(await talk.turn(chatter(16), answer(16)))
  expect(same).toBe(before)
  await talk.ask('We switch from Postgres to MySQL.')
  await talk.answer('Understood.')
  const after = blockOf(await talk.ask('Go on.'))
  expect(after).toMatch(/MySQL \(was Postgre/)
})

it('shows what is new next to the query, once, and keeps what was sent as it was', async () => {
  const talk = talkWith({}, { contextLength: 200_000 })
  const requests: (readonly Message[])[] = []
  for (const text of [
    "Let's use Postgres for the database.",
    'For authentication we go with JWT.',
    chatter(3),
    'Always run the linter before you commit.',
    chatter(5),
    chatter(6),
  ])
    requests.push(await talk.turn(text, 'Understood.'))
  requests.forEach((messages, index) => {
    const next = requests[index + 1]
    if (next === undefined || index === 0) return
    // All that was sent is the beginning of the next request.
    expect(next.slice(0, messages.length)).toEqual(messages)
  })
  const last = textOf(requests.at(-1) ?? [])
  expect(last.match(/JWT/g)?.length).toBeGreaterThanOrEqual(2)
  await talk.session.end()
})

it('places the summary directly before the query in the described system', async () => {
  const talk = talkWith({ profile: 'seed' })
  await tell(talk, 40)
  const messages = await talk.ask('Where are we?')
  const [summary, query] = messages.slice(-2).map(messageText)
  expect(summary).toMatch(/^<conversation_summary>[\s\S]*<\/conversation_summary>$/)
  expect(query).toBe('Where are we?')
  expect(textOf(messages).match(/<conversation_summary>/g)).toHaveLength(1)
  await talk.session.end()
})

it('shows what the user left open as contested, in both turns, until the user settles it', async () => {
  const talk = talkWith({}, { contextLength: 200_000 })
  const holds = /PostgreSQL \[user/
  await talk.turn('We use PostgreSQL.')
  expect(textOf(await talk.turn(chatter(2)))).toMatch(holds)
  const doubt =
    "Honestly I'm having second thoughts about Postgres, the ops team would rather run something else"
  await talk.turn(doubt)
  const open = await talk.turn(chatter(4))
  expect(textOf(open)).not.toMatch(holds)
  expect(blockOf(open)).toMatch(/PostgreSQL \(turn 1\), but since then turn 3, user: "Honestly .*: contested/)
  const listed = JSON.parse(await talk.session.callTool('decisions_list', {}))
  expect(listed.decisions).toMatchObject([
    { l0: 'datastore: PostgreSQL (contested)', remarks: [{ turn: 3 }] },
  ])
  await talk.turn('OK, we stay with PostgreSQL.')
  const settled = textOf(await talk.ask(chatter(6)))
  expect(settled.lastIndexOf('PostgreSQL [user')).toBeGreaterThan(settled.lastIndexOf(': contested'))
  await talk.session.end()
})

it('shows what the assistant changed unasked as contested, and what the user said of an open subject as words', async () => {
  const talk = talkWith({}, { contextLength: 200_000 })
  await talk.turn('We use PostgreSQL.', "I've switched the database to MySQL.")
  await talk.turn('A queue feels like overkill to me.')
  const shown = textOf(await talk.ask('Go on.'))
  expect(shown).toMatch(
    /PostgreSQL \(turn 1\), but since then turn 1, assistant: "I've switched .*: contested/,
  )
  expect(shown).toMatch(
    /^- turn 2, user on queue: "A queue feels like overkill to me\." \[said, not decided; /m,
  )
  expect(shown).not.toMatch(/PostgreSQL \[user/)
  await talk.session.end()
})
