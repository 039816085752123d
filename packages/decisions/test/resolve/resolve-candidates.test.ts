import { describe, expect, it } from 'vitest'
import { extractMessage } from '../../src/extract/extract-message.ts'
import { choose, createConversation } from './conversation.ts'

/** The choices that hold after some turns of a user. */
function held(...turns: readonly string[]): string[] {
  const { hear, active } = createConversation()
  turns.forEach((text, turn) => {
    hear(2 * turn, text)
  })
  return active()
}

describe('what a user says of the turn before', () => {
  it.each([
    ["Let's use Postgres.", 'No, I meant MySQL, not Postgres.', ['MySQL']],
    ["Let's use Postgres.", 'sorry i meant mysql', ['MySQL']],
    ["Let's use Postgres.", 'Not Postgres, MySQL.', ['MySQL']],
    ["Let's use Postgres.", 'Correction: MySQL.', ['MySQL']],
    ["Let's use Postgres.", 'I said Postgres but I meant MySQL.', ['MySQL']],
    ["Let's use Postgres.", "changed my mind, let's go with MySQL", ['MySQL']],
    ['Set the timeout to 30 seconds.', 'my bad, I meant 60 seconds', ['60 seconds']],
    ['Set the timeout to 30 seconds.', 'make it 60', ['60 seconds']],
    ['Set the timeout to 30 seconds.', 'raise it to 2 minutes', ['2 minutes']],
    ['Use Node 20.', 'no, 22', ['Node.js 22']],
    ['Use Node 20.', 'Upgrade to 22.', ['Node.js 22']],
    ['Set the port to 4000.', 'Sorry, that should be 5000.', ['5000']],
    ['Use 4 spaces for indentation.', 'Make it 2.', ['2 spaces']],
    ['Set the retries to 3 and the timeout to 10 s.', 'Make it 20 s.', ['3', '20 s']],
    ['Rename `loadCfg` to `readCfg`.', 'Sorry, I meant `loadConfig`, not `readCfg`.', ['loadConfig']],
  ])('corrects it: %s %s', (before, after, expected) => {
    expect(held(before, after)).toEqual(expected)
  })

  it.each([
    'Wait, I take that back.',
    'Undo that.',
    'scratch that',
    "actually let's not",
    'On second thought, no.',
    'Never mind, no Postgres.',
    'Forget what I said about Postgres.',
    'I changed my mind about Postgres.',
    'We decided not to use Postgres after all.',
  ])('takes it back: %s', (text) => {
    expect(held("Let's use Postgres.", text)).not.toContain('PostgreSQL')
  })

  it.each([
    'Scratch that question, I found it.',
    'Never mind the failing test.',
    'No, I meant the other file, not config.ts.',
    'Sorry, it is 5 files.',
    'Undo the rename please.',
    "Let's not delete it.",
    'make it 64 pixels wide, the logo I mean',
    'We decided against Redis.',
  ])('leaves it alone: %s', (text) => {
    expect(held("Let's use Postgres.", text)).toContain('PostgreSQL')
  })

  it.each([
    ['Switch to MySQL.', ['PostgreSQL']],
    ['Drop Postgres.', ['PostgreSQL']],
    ["Let's not use Postgres.", ['PostgreSQL']],
    ['Use Redis for caching.', ['PostgreSQL']],
  ])('brings back what had ended: %s', (text, expected) => {
    const { say, resolve, active, hear } = createConversation()
    hear(0, "Let's use Postgres.")
    hear(2, text)
    hear(4, 'Undo that.')
    expect(active()).toEqual(expected)
    const span = say(4, 'Undo that.')
    expect(resolve({ kind: 'amend', span, value: '' }).events).toEqual([])
  })

  it('is about no earlier turn, and not about what the assistant asks', () => {
    expect(held("Let's use Postgres.", 'Fine.', 'Undo that.')).toEqual(['PostgreSQL'])
    expect(held('Set the timeout to 30 seconds.', 'Fine.', 'make it 60')).toEqual(['30 seconds'])
    const previous = { index: 1, text: 'Shall I restart the server now?' }
    const answer = (content: string) =>
      extractMessage({ index: 2, message: { role: 'user', content }, previous })
    expect(answer("let's not")).toEqual([])
    expect(answer('I take that back.')).toMatchObject([{ kind: 'amend', value: '' }])
  })

  it('changes no number when two of them may be meant', () => {
    expect(held('Set the timeout to 30 seconds and the retries to 5.', 'make it 10')).toEqual([
      '30 seconds',
      '5',
    ])
  })
})

describe('a rule', () => {
  it.each([
    ['From now on answer in German.', 'From now on answer in English.', ['answer in English']],
    ['Always answer in English.', 'From now on, talk to me in Spanish.', ['talk to me in Spanish']],
    ['Answer briefly from now on.', 'From now on give long answers.', ['give long answers']],
  ])('on the same aspect of the same thing takes its place: %s %s', (before, after, expected) => {
    expect(held(before, after)).toEqual(expected)
  })

  it.each([
    ['Always answer in English.', 'Always write commit messages in German.'],
    ['Always answer in English.', 'Never answer in German.'],
    ['Always answer in English.', 'From now on keep answers short.'],
    ['Always run the linter before committing.', "You don't need to update the changelog anymore."],
    ['Always run the linter before committing.', 'Never run the linter on generated files.'],
  ])('on something else leaves it alone: %s %s', (before, after) => {
    expect(held(before, after)).toContain(before.slice(0, -1))
  })

  it.each([
    "You don't need to run the linter before committing anymore.",
    'Ignore what I said about the linter before committing.',
    'Forget that rule, commit as you like.',
  ])('is over when the user lifts it: %s', (text) => {
    expect(held('Always run the linter before committing.', text)).toEqual([])
  })
})

describe('a refusal', () => {
  it('ends what held and stays on record, until the user takes it after all', () => {
    const refused = ['Use Redis for caching.', "Let's not use Redis."]
    expect(held(...refused)).toEqual(["Let's not use Redis"])
    expect(held(...refused, 'Use Redis for caching.')).toEqual(['Redis'])
  })

  it('of a part leaves the whole alone', () => {
    expect(held('Use Redis for caching.', "Don't use Redis for sessions.")).toContain('Redis')
  })
})

describe('a choice that is made', () => {
  it('is one decision however often it is said, and each quote is kept up to a bound', () => {
    const { state, resolve, ledger, find } = createConversation()
    for (let message = 0; message < 100; message += 2)
      resolve(state(message, `Yes, ${message % 4 ? 'Postgres' : 'PostgreSQL'} it is (${message}).`, {}))
    expect(ledger.all).toHaveLength(1)
    expect(find('Postgres').sources).toHaveLength(9)
    expect(ledger.events).toHaveLength(9)
  })

  it('adds nothing when the same message is read again', () => {
    const { state, resolve } = createConversation()
    const candidate = state(0, 'Use Postgres.', {})
    expect(resolve(candidate).events).toHaveLength(1)
    expect(resolve(candidate).events).toEqual([])
  })

  it('gives way to a change, with the reason, and the chain can be walked', () => {
    const { state, resolve, find, active } = createConversation()
    resolve(state(2, 'Use Postgres.', {}))
    resolve(
      state(
        26,
        'Switch to MySQL because the host has it.',
        { choice: 'MySQL', reason: 'the host has it' },
        { isChange: true },
      ),
    )
    expect(active()).toEqual(['MySQL'])
    expect(find('MySQL').supersedes).toMatchObject([{ id: find('Postgres').id, reason: 'the host has it' }])
    expect(find('Postgres').ended?.source.message).toBe(26)
  })

  it('is contested by another one without a word of change, until somebody decides', () => {
    const { state, resolve, find, active } = createConversation()
    resolve(state(0, 'We use Postgres.', {}), state(2, 'We use MySQL.', { choice: 'MySQL' }))
    expect(find('Postgres').contestedBy).toEqual([find('MySQL').id])
    resolve(state(4, 'As I said: Postgres.', {}))
    expect(active()).toEqual(['Postgres', 'MySQL'])
    resolve(state(6, 'No, Postgres!', {}, { isChange: true }))
    expect(active()).toEqual(['Postgres'])
    expect(find('Postgres').contestedBy).toEqual([])
    expect(find('MySQL').supersededBy).toMatchObject([{ id: find('Postgres').id }])
  })

  it('wins a contest when it is called final', () => {
    const { state, resolve, active } = createConversation()
    resolve(state(0, 'We use Postgres.', {}), state(2, 'We use MySQL.', { choice: 'MySQL' }))
    resolve(state(4, 'MySQL, and that is final.', { choice: 'MySQL' }))
    expect(active()).toEqual(['MySQL'])
  })

  it('takes the place of what it says it replaces, and of nothing else', () => {
    const { state, resolve, active } = createConversation()
    const library = (choice: string) => ({ slot: 'library', choice, cardinality: 'many' as const })
    resolve(state(0, 'Use lodash.', library('lodash')), state(2, 'Use zod.', library('zod')))
    resolve(state(4, 'radash instead of lodash', library('radash'), { isChange: true, replaces: 'lodash' }))
    expect(active()).toEqual(['zod', 'radash'])
  })

  it('is made anew when it is chosen again after it was given up', () => {
    const { state, resolve, ledger, active } = createConversation()
    resolve(state(0, 'Use Postgres.', {}))
    resolve(state(2, 'Switch to MySQL.', { choice: 'MySQL' }, { isChange: true }))
    resolve(state(4, 'Back to Postgres.', {}, { isChange: true }))
    expect(active()).toEqual(['Postgres'])
    expect(ledger.all).toHaveLength(3)
  })

  it('becomes more exact when a version is named, and is not contested by it', () => {
    const { state, resolve, active } = createConversation()
    resolve(state(0, 'Use Postgres.', {}))
    resolve(state(2, 'We run PostgreSQL 16.', { choice: 'PostgreSQL 16' }))
    resolve(state(4, 'Postgres is fine.', {}))
    expect(active()).toEqual(['PostgreSQL 16'])
  })
})

describe('areas', () => {
  it('a part that gets its own choice leaves the rest as it is', () => {
    const { state, resolve, find, active } = createConversation()
    resolve(state(0, 'Use Postgres.', {}))
    resolve(state(2, 'ClickHouse for analytics.', { choice: 'ClickHouse', area: 'analytics' }))
    expect(active()).toEqual(['Postgres', 'ClickHouse'])
    expect(find('Postgres').supersededBy).toMatchObject([{ id: find('ClickHouse').id, area: 'analytics' }])
    expect(find('Postgres').contestedBy).toEqual([])
  })

  it('a change of the whole leaves a part with its own choice, unless its value is named', () => {
    const { state, resolve, active } = createConversation()
    resolve(
      state(0, 'Use Postgres.', {}),
      state(2, 'ClickHouse for analytics.', { choice: 'ClickHouse', area: 'analytics' }),
    )
    resolve(state(4, 'Switch to MySQL.', { choice: 'MySQL' }, { isChange: true }))
    expect(active()).toEqual(['ClickHouse', 'MySQL'])
    resolve(
      state(
        6,
        'Replace ClickHouse by MySQL.',
        { choice: 'MySQL' },
        { isChange: true, replaces: 'ClickHouse' },
      ),
    )
    expect(active()).toEqual(['MySQL'])
  })

  it('a chain never comes back to where it began', () => {
    const { state, resolve, find } = createConversation()
    resolve(
      state(0, 'Use Postgres.', {}),
      state(2, 'ClickHouse for analytics.', { choice: 'ClickHouse', area: 'analytics' }),
      state(4, 'Postgres instead of ClickHouse everywhere.', {}, { isChange: true, replaces: 'ClickHouse' }),
    )
    expect(find('ClickHouse').status).toBe('retracted')
    expect(find('Postgres').supersededBy).toHaveLength(1)
  })
})

describe('proposals', () => {
  it('are never decided, and do not end what the user stated', () => {
    const { state, propose, resolve, active, find } = createConversation()
    resolve(state(0, 'Use Postgres.', {}), propose(1, 'I would take MySQL.', { choice: 'MySQL' }))
    expect(active()).toEqual(['Postgres'])
    expect(find('MySQL').status).toBe('proposed')
  })

  it('hold when the user takes them up, and what stood is over', () => {
    const { state, propose, say, resolve, active, find } = createConversation()
    resolve(state(0, 'Use Postgres.', {}), propose(1, 'I would take MySQL.', { choice: 'MySQL' }))
    const proposal = { message: 1, start: 0, end: 19 }
    resolve({
      kind: 'accept',
      span: say(2, 'Agreed.'),
      choices: [choose({ choice: 'MySQL' })],
      proposals: [proposal],
      isChange: false,
    })
    expect(active()).toEqual(['MySQL'])
    expect(find('MySQL').authority).toBe('accepted')
    expect(find('Postgres').supersededBy).toMatchObject([{ id: find('MySQL').id }])
  })

  it('that nobody noticed are written with their own words when they are taken up', () => {
    const { say, resolve, find } = createConversation()
    const proposal = say(1, 'I would take MySQL.', 'assistant')
    const accept = {
      kind: 'accept' as const,
      span: say(2, 'Agreed.'),
      choices: [choose({ choice: 'MySQL' })],
      proposals: [proposal],
      isChange: false,
    }
    expect(resolve(accept).events.map(({ type }) => type)).toEqual(['proposed', 'accepted'])
    expect(find('MySQL').sources.map(({ quote }) => quote)).toEqual(['I would take MySQL.', 'Agreed.'])
    expect(resolve(accept).events).toEqual([])
  })

  it('can be taken up after another one was chosen', () => {
    const { state, propose, say, resolve, active } = createConversation()
    resolve(propose(1, 'I would take MySQL.', { choice: 'MySQL' }), state(2, 'No, Postgres.', {}))
    resolve({
      kind: 'accept',
      span: say(8, 'Fine, your first idea.'),
      choices: [choose({ choice: 'MySQL' })],
      proposals: [{ message: 1, start: 0, end: 19 }],
      isChange: false,
    })
    expect(active()).toEqual(['MySQL'])
  })

  it('an assistant that repeats what stands confirms nothing', () => {
    const { state, propose, resolve, find } = createConversation()
    resolve(state(0, 'Use Postgres.', {}), propose(1, 'We use Postgres.', {}))
    expect(find('Postgres').sources).toHaveLength(1)
  })

  it('are what an assistant states, whatever a reader calls it', () => {
    const { say, resolve, find } = createConversation()
    resolve({
      kind: 'assert',
      span: say(1, 'We use MySQL.', 'assistant'),
      choice: choose({ choice: 'MySQL' }),
      isChange: true,
    })
    expect(find('MySQL').status).toBe('proposed')
  })
})

describe('retractions', () => {
  it('end the value they name, in every area, and leave the others', () => {
    const { state, say, resolve, active } = createConversation()
    resolve(state(0, 'Redis as a cache.', { slot: 'cache', choice: 'Redis' }), state(2, 'Postgres.', {}))
    resolve({
      kind: 'retract',
      span: say(4, 'Drop Redis.'),
      slot: 'cache',
      area: '',
      value: 'redis',
      reason: 'too much',
    })
    expect(active()).toEqual(['Postgres'])
  })

  it('end a whole slot, and what was entered under another slot', () => {
    const { state, say, resolve, active, find } = createConversation()
    resolve(state(0, 'Redis as a datastore.', { choice: 'Redis' }))
    resolve({ kind: 'retract', span: say(2, 'No Redis after all.'), slot: 'cache', area: '', value: 'Redis' })
    expect(find('Redis').status).toBe('retracted')
    resolve(state(4, 'Postgres.', {}))
    resolve({
      kind: 'retract',
      span: say(6, 'Forget about the database.'),
      slot: 'datastore',
      area: '',
      value: '',
    })
    expect(active()).toEqual([])
  })

  it('of what nobody chose begin nothing', () => {
    const { say, resolve, ledger } = createConversation()
    resolve({ kind: 'retract', span: say(0, 'Not MongoDB.'), slot: 'datastore', area: '', value: 'MongoDB' })
    expect(ledger.events).toEqual([])
  })

  it('by an assistant end nothing that the user stated', () => {
    const { state, say, resolve, active } = createConversation()
    resolve(state(0, 'Use Postgres.', {}))
    resolve({
      kind: 'retract',
      span: say(1, 'I removed pg.', 'assistant'),
      slot: 'datastore',
      area: '',
      value: 'Postgres',
    })
    expect(active()).toEqual(['Postgres'])
  })
})

describe('what is found late', () => {
  it('is placed where it was said: a change behind it took its place too', () => {
    const { state, resolve, active, find } = createConversation()
    resolve(
      state(10, 'Use Postgres.', {}),
      state(20, 'Switch to MySQL.', { choice: 'MySQL' }, { isChange: true }),
    )
    resolve(state(2, 'Start with SQLite.', { choice: 'SQLite' }, { isChange: true }))
    resolve(state(4, 'Still Postgres.', {}, { isChange: true }))
    expect(active()).toEqual(['MySQL'])
    expect(find('SQLite').supersededBy).toMatchObject([{ id: find('MySQL').id }])
  })

  it('does not bring back what was over by then', () => {
    const { state, say, resolve, active, ledger } = createConversation()
    resolve(state(0, 'Use Redis.', { slot: 'cache', choice: 'Redis' }))
    resolve({ kind: 'retract', span: say(8, 'Drop Redis.'), slot: 'cache', area: '', value: 'Redis' })
    resolve(state(4, 'Redis it is, as I said.', { slot: 'cache', choice: 'Redis' }))
    expect(active()).toEqual([])
    expect(ledger.all).toHaveLength(1)
  })
})

describe('names that change', () => {
  const name = (slot: string, choice: string) => ({ slot: `name:${slot}`, choice })

  it('form a chain', () => {
    const { state, resolve, active, find } = createConversation()
    resolve(state(0, 'Rename getUser to fetchUser.', name('get-user', 'fetchUser'), { isChange: true }))
    resolve(state(2, 'Rename fetchUser to loadUser.', name('fetch-user', 'loadUser'), { isChange: true }))
    expect(active()).toEqual(['loadUser'])
    expect(find('loadUser').supersedes).toMatchObject([{ id: find('fetchUser').id }])
  })
})

describe('what rests on something', () => {
  it('is marked when that is over, until it is said again', () => {
    const { state, resolve, find } = createConversation()
    resolve(state(0, 'Use Postgres.', {}), state(2, 'Prisma on top.', { slot: 'orm', choice: 'Prisma' }))
    resolve(state(4, 'A jsonb column in Postgres for the tags.', { slot: 'tags-format', choice: 'jsonb' }))
    expect(find('jsonb').dependsOn).toEqual([find('Postgres').id])
    resolve(state(6, 'Switch to MySQL.', { choice: 'MySQL' }, { isChange: true }))
    expect(find('Prisma').suspectOf).toBe(find('Postgres').id)
    expect(find('jsonb').suspectOf).toBe(find('Postgres').id)
    resolve(state(8, 'Prisma stays.', { slot: 'orm', choice: 'Prisma' }))
    expect(find('Prisma').suspectOf).toBeUndefined()
  })

  it('is not marked for an everyday word that also names something', () => {
    const { state, resolve, find } = createConversation()
    resolve(state(0, 'Next.js for the pages.', { slot: 'frontend', choice: 'Next.js' }))
    resolve(state(2, 'The next thing is spaces.', { slot: 'indentation', choice: 'spaces' }))
    expect(find('spaces').dependsOn).toEqual([])
  })

  it('is none of a rule on what the rule ends', () => {
    const { hear, find } = createConversation()
    hear(0, "Let's use Postgres.")
    hear(2, "Don't use Postgres.")
    expect(find('PostgreSQL').status).toBe('retracted')
    expect(find("Don't use Postgres")).toMatchObject({ status: 'active', dependsOn: [] })
  })
})

describe('rules', () => {
  const rule = (choice: string) => ({ slot: `rule:${choice.length}`, choice, cardinality: 'many' as const })

  it('that say nothing new are one more quote of the one that stands', () => {
    const { state, resolve, ledger, find } = createConversation()
    const text = 'Always write tests for every handler before you merge'
    resolve(state(0, text, rule(text)))
    resolve(state(2, 'Write tests for every handler!', rule('Write tests for every handler')))
    expect(ledger.all).toHaveLength(1)
    expect(find(text).sources).toHaveLength(2)
  })

  it.each([
    ['Never commit to main', 'Commit to main'],
    ['Retry at most 3 times on failure of the network', 'Retry at most 5 times on failure of the network'],
    ['Prefer tabs over spaces', 'Prefer spaces over tabs'],
    ['提交前必须运行测试', '提交前不必运行测试'],
  ])('%s / %s are two rules', (first, second) => {
    const { state, resolve, ledger } = createConversation()
    resolve(state(0, first, rule(first)), state(2, second, rule(`${second} `)))
    expect(ledger.all).toHaveLength(2)
  })

  it('that a model found and that resemble another one are left to be judged', () => {
    const { state, resolve, context, ledger } = createConversation()
    resolve(state(0, 'Write tests for every handler', rule('Write tests for every handler')))
    const candidate = state(2, 'Write tests for every endpoint', rule('Write tests for every endpoint'))
    const byModel = createConversation({ ...context, ledger, by: 'model' })
    const { events, residue } = byModel.resolve(candidate)
    expect(events).toEqual([])
    expect(residue).toMatchObject([{ neighbours: [{ choice: 'Write tests for every handler' }] }])
    // Rules without a model keep both.
    expect(resolve(candidate).events).toHaveLength(1)
  })

  it('an embedding may find what words do not, and hears neither negations nor numbers', () => {
    const { state, resolve, ledger } = createConversation({ similarity: () => 0.99 })
    resolve(
      state(0, 'Cover handlers', rule('Cover every handler')),
      state(2, 'x', rule('Test all endpoints')),
    )
    expect(ledger.all).toHaveLength(1)
    resolve(state(4, 'y', rule('Never test endpoints')))
    expect(ledger.all).toHaveLength(2)
  })
})

describe('an embedding that fails', () => {
  const rule = (choice: string) => ({ slot: 'rule:x', choice, cardinality: 'many' as const })
  it.each([
    [
      'throws',
      () => {
        throw new Error('no embedding')
      },
    ],
    ['gives no number', () => 'much' as never],
    ['gives something else than a number', () => ({ valueOf: () => 1 }) as never],
  ])('and %s is as good as none', (_, similarity) => {
    const { state, resolve, ledger } = createConversation({ similarity })
    resolve(
      state(0, 'x', rule('Always run the linter before you commit')),
      state(2, 'y', rule('Never push to main without a review')),
    )
    expect(ledger.all).toHaveLength(2)
  })
})

describe('words that are not the user’s', () => {
  it.each(['tool', 'host', 'model', 'rules'] as const)('decide nothing, whoever hands them in (%s)', (by) => {
    const { say, resolve, ledger } = createConversation({ by })
    const span = say(1, 'decision: use MongoDB', 'tool')
    const choice = choose({ choice: 'MongoDB' })
    resolve({ kind: 'assert', span, choice, isChange: true })
    expect(ledger.all.map(({ status }) => status)).toEqual(['proposed'])
  })
})

describe('hostile input', () => {
  it('is bounded and never breaks a log', () => {
    const { state, resolve, ledger, say } = createConversation()
    const long = `x\ud800 </project_decisions> \u0000`.repeat(50_000)
    resolve(
      state(0, long, {
        slot: '__proto__',
        choice: long,
        l0: long,
        reason: long,
        area: long,
        entities: Array.from({ length: 5_000 }, (_, index) => `${index}${long.slice(0, 500)}`),
      }),
      state(2, '   ', {}),
      { kind: 'retract', span: say(4, 'constructor'), slot: 'constructor', area: '', value: '' },
      state(6, 'Nothing', { choice: ' ' }),
    )
    expect(ledger.all).toHaveLength(1)
    expect(JSON.stringify(ledger.events).length).toBeLessThan(12_000)
    expect(ledger.all[0]?.l0.length).toBeLessThanOrEqual(120)
    expect(ledger.all[0]?.reason?.length).toBeLessThanOrEqual(200)
    expect(ledger.all[0]?.sources[0]?.quote.length).toBeLessThanOrEqual(600)
  })

  it('cannot contest one slot without end, and one word of change ends it', () => {
    const { state, resolve, active, ledger } = createConversation()
    resolve(
      ...Array.from({ length: 1_000 }, (_, index) => state(2 * index, `v${index}`, { choice: `v${index}` })),
    )
    expect(ledger.all).toHaveLength(32)
    resolve(state(4_000, 'Postgres now.', {}, { isChange: true }))
    expect(active()).toEqual(['Postgres'])
  })

  it('a span outside of the transcript says nothing', () => {
    const { state, resolve } = createConversation()
    const candidate = state(0, 'Use Postgres.', {})
    expect(resolve({ ...candidate, span: { message: 7, start: 0, end: 4 } }).events).toEqual([])
    expect(resolve({ ...candidate, span: { message: 0, start: 90, end: 40 } }).events).toEqual([])
    expect(resolve({ ...candidate, span: { message: 0, start: -5, end: Number.NaN } }).events).toEqual([])
  })
})
