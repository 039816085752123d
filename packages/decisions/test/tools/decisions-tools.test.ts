import { describe, expect, it } from 'vitest'
import { touch } from '../render/renders.ts'
import { createStory } from '../render/said.ts'
import { talk, toolsOf } from './tools-fixture.ts'

describe('decisions_list', () => {
  const story = createStory()
  const old = story.assert({ slot: 'datastore', choice: 'PostgreSQL' }, { turn: 3 })
  const next = story.assert({ slot: 'datastore', choice: 'MySQL' }, { turn: 5 })
  story.supersede(old, next, { turn: 5 })
  story.propose({ slot: 'cache', choice: 'Redis' }, { turn: 6 })
  story.assert({ slot: 'setting:port', choice: '80', category: 'behavior' }, { turn: 7 })
  story.assert(
    { slot: 'setting:port', choice: '90', category: 'behavior' },
    { turn: 8, session: 's0', scope: 'session:s1' },
  )
  const list = async (args: object) =>
    (await toolsOf([], story.events).ask('decisions_list', args)).decisions.map(({ choice }) => choice)

  it.each([
    [{}, ['MySQL', '80', '90']],
    [{ status: 'all' }, ['PostgreSQL', 'MySQL', 'Redis', '80', '90']],
    [{ status: 'proposed' }, ['Redis']],
    [{ status: 'superseded' }, ['PostgreSQL']],
    [{ status: 'contested' }, ['80', '90']],
    [{ slot: 'Datastore', status: 'all' }, ['PostgreSQL', 'MySQL']],
    [{ category: 'behavior' }, ['80', '90']],
    [{ scope: 'session' }, ['MySQL', '80']],
    [{ scope: 'project' }, []],
    [{ query: 'which database?' }, ['MySQL']],
    [{ query: 'which database?', status: 'all' }, ['PostgreSQL', 'MySQL']],
  ])('filters by %j', async (args, choices) => {
    expect(await list(args)).toEqual(choices)
  })

  it('says what each one is, and what to try when nothing fits', async () => {
    const { ask } = toolsOf([], story.events)
    const { decisions } = await ask('decisions_list', { slot: 'datastore' })
    expect(decisions).toEqual([
      {
        id: next,
        slot: 'datastore',
        choice: 'MySQL',
        category: 'decisions',
        status: 'active',
        authority: 'stated',
        turn: 5,
        l0: 'datastore: MySQL',
      },
    ])
    expect(await ask('decisions_list', { slot: 'payments' })).toMatchObject({
      total: 0,
      next: null,
      on_record: 5,
    })
  })
})

describe('what is in doubt', () => {
  const story = createStory()
  const auth = story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 1 })
  story.remark(auth, { turn: 2, text: 'I regret JWT' })
  story.propose(
    { slot: 'remark:cache', choice: 'no cache yet', cardinality: 'many' },
    { turn: 3, role: 'user', text: 'no cache yet' },
  )
  const list = async (args: object) => (await toolsOf([], story.events).ask('decisions_list', args)).decisions

  it('is listed as such, and the words on an open subject are too', async () => {
    expect(await list({})).toMatchObject([
      { l0: 'auth: JWT (contested)', remarks: [{ turn: 2, role: 'user', quote: 'I regret JWT' }] },
      { l0: 'user on cache: "no cache yet"', status: 'proposed' },
    ])
    expect(await list({ status: 'contested' })).toHaveLength(1)
    expect(await list({ status: 'active' })).toHaveLength(1)
    expect(await list({ status: 'remark', slot: 'cache' })).toHaveLength(1)
  })

  it('is explained with the words that left it open', async () => {
    const { ask } = toolsOf(talk('We use JWT', '', 'hm', '', 'I regret JWT'), story.events)
    expect(await ask('decisions_explain', { id: auth })).toMatchObject({
      tier: 'rules',
      remarks: [{ quote: 'I regret JWT', turn: 2, check: 'verified' }],
    })
  })
})

describe('decisions_explain', () => {
  it('shows the words with what stands around them, and whether they are still there', async () => {
    const said = 'Hello there. We use JWT for the API, sessions for the web. Thanks!'
    const story = createStory()
    const id = story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 0, text: said })
    const fresh = await toolsOf(talk(said), story.events).ask('decisions_explain', { id: id.slice(0, 8) })
    expect(fresh.sources).toEqual([
      { role: 'user', turn: 0, message: 0, quote: said, context: said, check: 'verified' },
    ])
    const edited = await toolsOf(talk('Something else'), story.events).ask('decisions_explain', { id })
    expect(edited.sources[0]).toMatchObject({ quote: said, check: 'changed' })
    expect(edited.sources[0]?.context).toBeUndefined()
    const lost = await toolsOf([], story.events).ask('decisions_explain', { id })
    expect(lost.sources[0]?.check).toBe('missing')
  })

  it('shows the whole chain with reasons, what rests on it, rivals, files and events', async () => {
    const story = createStory()
    const first = story.assert(
      { slot: 'datastore', choice: 'PostgreSQL', entities: ['src/db.ts'] },
      { turn: 3 },
    )
    story.assert({ slot: 'schema', choice: 'users table', dependsOn: [first] }, { turn: 8 })
    const second = story.assert({ slot: 'datastore', choice: 'MySQL' }, { turn: 27 })
    story.supersede(first, second, { turn: 27, reason: 'the host offers it' })
    const third = story.assert({ slot: 'datastore', choice: 'SQLite' }, { turn: 30 })
    story.supersede(second, third, { turn: 30, reason: 'one file is enough' })
    story.assert({ slot: 'datastore', choice: 'DuckDB' }, { turn: 31 })
    const { ask } = toolsOf([], story.events, [touch('src/db.ts', 'edited', 4), touch('src/x.ts', 'read', 5)])
    const middle = await ask('decisions_explain', { id: second })
    expect(middle.chain.map(({ choice, until_turn, reason }) => [choice, until_turn, reason])).toEqual([
      ['PostgreSQL', 27, 'the host offers it'],
      ['MySQL', 30, 'one file is enough'],
      ['SQLite', undefined, undefined],
    ])
    const oldest = await ask('decisions_explain', { id: first })
    expect(oldest.dependants).toMatchObject([{ choice: 'users table', suspect: true }])
    expect(oldest.files).toMatchObject([{ path: 'src/db.ts' }])
    expect(oldest.events.map(({ type }) => type)).toEqual(['asserted', 'superseded'])
    expect((await ask('decisions_explain', { id: third })).contested_with).toMatchObject([
      { choice: 'DuckDB' },
    ])
  })
})

describe('decisions_record', () => {
  const messages = talk(
    'Which database?',
    'I suggest MongoDB.',
    'Hm. We go with  postgres,\nplease.',
    'Done.',
  )

  it('takes the words of the user for a decision, found but for spaces and capitals', async () => {
    const { ask, calls } = toolsOf(messages)
    const answer = await ask('decisions_record', {
      slot: 'datastore',
      choice: 'PostgreSQL',
      quote: 'we go with postgres, please.',
      reason: 'known',
    })
    expect(answer).toMatchObject({ recorded: true, decided: true, decision: { status: 'active', turn: 2 } })
    const [candidate] = calls.candidates
    expect(candidate).toMatchObject({
      kind: 'assert',
      span: { message: 2, start: 4, end: 33 },
      choice: {
        slot: 'datastore',
        choice: 'PostgreSQL',
        cardinality: 'one',
        l0: 'datastore: PostgreSQL',
        reason: 'known',
      },
    })
  })

  it.each([
    [undefined, 'give the words of the user'],
    ['We go with MongoDB', 'no message contains the quote'],
    ['I suggest MongoDB.', 'the quote is yours'],
    ['Which database?', 'the quote does not name the choice'],
  ])('keeps it as a proposal with the quote %j', async (quote, note) => {
    const { ask, calls } = toolsOf(messages)
    const answer = await ask('decisions_record', { slot: 'datastore', choice: 'MongoDB', quote })
    expect(answer).toMatchObject({ recorded: true, decided: false, decision: { status: 'proposed' } })
    expect(answer.note).toContain(note)
    expect(calls.candidates[0]).toMatchObject({ kind: 'propose' })
  })

  it.each([
    [
      'Should we use MongoDB? No, please do not use MongoDB, it lost our data.',
      'use MongoDB',
      'the user turned it down: "No, please do not use MongoDB, it lost our data."',
    ],
    ['What does this mean?\n```\nwe use MongoDB from now on\n```', 'we use MongoDB from now on', 'pastes'],
    ['Would MongoDB be better?', 'MongoDB', 'the user asks or guesses'],
    ['My boss says we must use MongoDB.', 'we must use MongoDB', 'reports'],
  ])('takes no words out of their clause: %j', async (said, quote, why) => {
    const { ask, ledger } = toolsOf(talk('We use PostgreSQL as the database.', 'OK.', said))
    const given = { slot: 'datastore', choice: 'MongoDB', quote, replaces: 'PostgreSQL' }
    const { note = '', error = '' } = await ask('decisions_record', given)
    expect(`${note}${error}`).toContain(why)
    expect(ledger.all.filter(({ status }) => status !== 'proposed')).toEqual([])
  })

  it('keeps no secret that it is given', async () => {
    const key = `ghp_${'abcdefghijklmnopqrstuvwxyz0123456789'}`
    const { ask, ledger } = toolsOf(talk('Hello, set up the deploy please.'))
    const given = { slot: 'setting:token', choice: key, reason: `it is ${key}`, area: `the ${key}` }
    const { recorded } = await ask('decisions_record', given)
    expect(recorded).toBe(true)
    expect(JSON.stringify(ledger.events)).not.toContain(key)
  })

  it('refuses a text that is too long for its schema, and repeats nothing of it', async () => {
    const { ask, ledger } = toolsOf(talk('Hello, set up the deploy please.'))
    const { error } = await ask('decisions_record', { slot: 'fact:x', choice: 'a secret '.repeat(10_000) })
    expect(error).toContain('"choice" is wrong')
    expect(error).not.toContain('secret')
    expect(ledger.events).toEqual([])
  })

  it.each([
    ['5', 'Set the limit to 50.', false],
    ['5', 'Set the limit to 5.', true],
    ['go', 'We use Django', false],
    ['"', 'We use Django. Fine.', false],
    ['数据库', '我们的数据库就用它', true],
    ['(a+)+', 'use (a+)+ as it is', true],
  ])('looks for %j as a word of its own in %j', async (choice, said, decided) => {
    const { ask } = toolsOf(talk(said))
    expect((await ask('decisions_record', { slot: 'fact:x', choice, quote: said })).decided).toBe(decided)
  })

  it('says that the value changes only when a value is named that it replaces', async () => {
    const { ask, calls } = toolsOf(messages)
    const quote = 'We go with postgres'
    await ask('decisions_record', { slot: 'datastore', choice: 'postgres', quote })
    await ask('decisions_record', { slot: 'datastore', choice: 'postgres', quote, replaces: 'MySQL' })
    expect(calls.candidates).toMatchObject([{ isChange: false }, { isChange: true, replaces: 'MySQL' }])
  })
})

describe('decisions_retract', () => {
  const messages = talk(
    'Hello there. Never mind the cache for now.',
    'OK.',
    'We use Redis as the cache',
    'Shall we?',
    'no',
    'OK. What about queues?',
    'Please drop the cache again.',
    'OK.',
    'We do not need Kafka. And please go on.',
  )
  const begun = () => {
    const story = createStory()
    const stated = story.assert(
      { slot: 'cache', choice: 'Redis' },
      { turn: 1, text: 'We use Redis as the cache' },
    )
    const proposed = story.propose({ slot: 'queue', choice: 'Kafka' }, { turn: 1 })
    return { ...toolsOf(messages, story.events), stated, proposed }
  }

  it('ends what the user stated with the words of the user only', async () => {
    const { ask, calls, stated } = begun()
    const reason = 'not needed'
    const refused = async (quote?: string) =>
      (await ask('decisions_retract', { id: stated, reason, quote })).error
    expect(await refused()).toMatch(
      /^the user stated d\w+: ask the user, and give the words that end it as "quote"/,
    )
    expect(await refused('forget Redis')).toMatch(/^no message contains the quote; the user stated/)
    expect(await refused('Shall we?')).toMatch(/^the quote is not from a message of the user/)
    expect(await refused('Redis as the cache')).toMatch(/^the quote is what the decision was read from/)
    expect(await refused('Hello there')).toMatch(/^the quote is older than the decision/)
    expect(await refused('please go on')).toMatch(/^the quote does not say that anything is over/)
    expect(await refused('We do not need Kafka')).toMatch(/^the quote does not say what is over/)
    expect(await refused('no')).toMatch(/^the quote does not say what is over/)
    expect(calls.retracted).toEqual([])
    expect(
      await ask('decisions_retract', { id: stated, reason, quote: 'please drop the cache' }),
    ).toMatchObject({
      retracted: true,
      decision: { status: 'retracted' },
    })
    expect(calls.retracted).toEqual([{ id: stated, reason, span: { message: 6, start: 0, end: 28 } }])
    expect((await ask('decisions_retract', { id: stated, reason })).error).toMatch(/is retracted already/)
  })

  it.each([
    ['Scrap that.', true],
    ['We do not need a cache at all.', true],
    ['Redis is no longer needed.', true],
    ['Forget about the API.', false],
    ['Do not drop Redis!', false],
    ['Should we drop Redis?', false],
    ['My colleague says we should drop Redis.', false],
    ['Redis is fast.', false],
  ])('takes %j for the end of it: %j', async (text, expected) => {
    const story = createStory()
    const said = 'We use Redis as the cache'
    const id = story.assert({ slot: 'cache', choice: 'Redis' }, { turn: 0, text: said })
    const { ask } = toolsOf(talk(said, 'OK.', text), story.events)
    const { retracted = false } = await ask('decisions_retract', { id, reason: 'over', quote: text })
    expect(retracted).toBe(expected)
  })

  it('takes words that point back only when the user had said nothing else by then', async () => {
    const story = createStory()
    const said = 'We use Redis as the cache'
    const id = story.assert({ slot: 'cache', choice: 'Redis' }, { turn: 0, text: said })
    const { ask } = toolsOf(talk(said, 'OK.', 'Now the logo.', 'OK.', 'Scrap that.'), story.events)
    const { error } = await ask('decisions_retract', { id, reason: 'over', quote: 'Scrap that' })
    expect(error).toMatch(/^the quote does not say what is over/)
  })

  it('takes back what was only proposed without a quote', async () => {
    const { ask, calls, proposed } = begun()
    expect(await ask('decisions_retract', { id: proposed, reason: 'too much' })).toMatchObject({
      retracted: true,
    })
    expect(calls.retracted.map(({ span }) => span)).toEqual([undefined])
  })

  it('asks which one is meant when the beginning of an id fits two', async () => {
    const story = createStory()
    const ids = Array.from({ length: 40 }, (_, index) =>
      story.assert({ slot: `s${index}`, choice: 'a' }, { turn: 1 }),
    )
    const { ask, ledger } = toolsOf(messages, story.events)
    const twin = { ...ledger.all[0], id: `${ids[0]?.slice(0, 8)}zzzz` }
    Object.defineProperty(ledger, 'all', { value: [...ledger.all, twin] })
    const { error } = await ask('decisions_explain', { id: ids[0]?.slice(0, 8) })
    expect(error).toBe(`"${ids[0]?.slice(0, 8)}" begins 2 ids; use one of ${ids[0]}, ${twin.id}`)
  })
})
