import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type InvalidOptionError, type Message, PalimpsestError } from '@palimpsest/core'
import { refusalOf, whileRunning } from '@palimpsest/sqlite-kit/store-suite'
import type { CandidateQuery, MessageQuery } from '../store/lcm-session.ts'
import {
  AT,
  commit,
  compactTo,
  condenseAll,
  contents,
  edit,
  encode,
  hostileMessages,
  leaf,
  letsOneThrough,
  numbered,
  numbersOf,
  refuses,
  say,
  seal,
  stateOf,
  talk,
  texts,
  userMessage,
  userMessages,
} from './harness.ts'
import { defineCases } from './store-case.ts'

export const appendCases = defineCases({
  async 'S01 numbers messages from 0 in the order in which they came'(harness) {
    const session = await talk(harness.create(), 'a')
    const start = { nextSeq: 0, nextSummary: 1, version: 0, replaced: [], createdAt: AT }
    deepEqual(await session.head(), start)
    const messages = [encode({ role: 'system', content: 'Be brief.' }), ...userMessages('one', 'two')]
    const head = await session.append({ nextSeq: 0, messages, at: AT + 1 })
    deepEqual(head, { ...start, nextSeq: 3 })
    await session.append({ nextSeq: 3, messages: userMessages('three'), at: AT + 2 })
    const stored = await session.messages({ limit: 10 })
    deepEqual(
      stored.map(({ seq, role, at }) => [seq, role, at]),
      [
        [0, 'system', AT + 1],
        [1, 'user', AT + 1],
        [2, 'user', AT + 1],
        [3, 'user', AT + 2],
      ],
    )
  },

  async 'S02 refuses a writer that does not know the last message, and writes nothing of it'(harness) {
    const session = await talk(harness.create(), 'a', 'one', 'two')
    const before = await stateOf(session)
    for (const nextSeq of [0, 1, 3, -1, 1.5])
      await refuses(
        () => session.append({ nextSeq, messages: userMessages('late'), at: AT }),
        'STORE_CONFLICT',
        `an append at m${nextSeq} when m2 is next`,
      )
    deepEqual(await stateOf(session), before, 'the session after appends that were refused')
  },

  async 'S03 takes an append without messages for nothing'(harness) {
    const session = await talk(harness.create(), 'a', 'one')
    const before = await stateOf(session)
    await session.append({ nextSeq: 1, messages: [], at: AT + 9 })
    deepEqual(await stateOf(session), before)
  },

  async 'S04 shows every handle of a session the same, and lets the slower of two writers read again'(
    harness,
  ) {
    const store = harness.create()
    const [left, right] = [await talk(store, 'a'), await talk(store, 'a')]
    for (let turn = 0; turn < 20; turn++) await say(turn % 2 === 0 ? left : right, `turn ${turn}`)
    equal((await left.head()).nextSeq, 20)
    deepEqual(await contents(left), await contents(right))
    const late = { nextSeq: 20, at: AT } as const
    await left.append({ ...late, messages: userMessages('first') })
    await refuses(
      () => right.append({ ...late, messages: userMessages('second') }),
      'STORE_CONFLICT',
      'the slower of two appends at m20',
    )
    equal((await contents(right)).at(-1), 'first')
  },

  async 'S05 lets exactly one of many writers at the same time through'(harness) {
    const store = harness.create()
    const session = await talk(store, 'a')
    const writers = texts(10, 'writer')
    const append = (text: string) => session.append({ nextSeq: 0, messages: userMessages(text), at: AT })
    const appends = letsOneThrough(writers.map(append), 'STORE_CONFLICT', 'appends')
    await whileRunning(appends, async () => {
      const { nextSeq } = await session.head()
      ok((await contents(session)).length >= nextSeq, 'messages that the head counts')
    })
    equal((await contents(session)).length, 1)
    const input = { version: 0, create: [await leaf(session, 1, 0, 0)], summaries: [1], at: AT }
    const commit = () => session.commit({ ...input, reason: 'compaction' })
    const commits = letsOneThrough(writers.map(commit), 'STORE_CONFLICT', 'commits')
    await whileRunning(commits, async () => {
      const { version, nodes } = await session.frontier()
      equal(nodes.length, version, 'summaries of the frontier')
    })
    equal((await session.head()).version, 1)
  },

  async 'S06 keeps identical messages apart'(harness) {
    const session = await talk(harness.create(), 'a', 'again', 'again', 'again')
    await say(session, 'again')
    const messages = await session.messages({ limit: 10 })
    numbered(messages, [0, 1, 2, 3])
    equal(new Set(messages.map(({ hash }) => hash)).size, 1, 'hashes of four identical messages')
  },

  async 'S09 refuses a writer that does not know of an edit, when it names the frontier that it knows'(
    harness,
  ) {
    const session = await talk(harness.create(), 'a', ...texts(3))
    const known = await session.head()
    equal((await edit(session, 2, [])).nextSeq, known.nextSeq, 'what the number of the next message tells')
    const before = await stateOf(session)
    const { nextSeq, version } = known
    const messages = userMessages('behind what is replaced')
    for (const stale of [version, version + 2, -1])
      await refuses(
        () => session.append({ nextSeq, version: stale, messages, at: AT }),
        'STORE_CONFLICT',
        `an append on version ${stale} of the frontier`,
      )
    await refuses(
      () => session.append({ nextSeq, version, messages: [], at: AT }),
      'STORE_CONFLICT',
      'an append of nothing on an old version of the frontier',
    )
    deepEqual(await stateOf(session), before, 'the session after appends that were refused')
    await session.append({ nextSeq, version: version + 1, messages, at: AT })
    deepEqual(await contents(session), ['text 0', 'text 1', 'behind what is replaced'])
  },
})

/** Byte for byte. */
export const roundTripCases = defineCases({
  async 'S10 gives every message back byte for byte, whatever it holds'(harness) {
    const session = await talk(harness.create(), 'a')
    const messages = Object.entries(hostileMessages())
    for (const [name, message] of messages) {
      const { nextSeq } = await session.head()
      await session.append({ nextSeq, messages: [encode(message)], at: AT })
      const [stored] = await session.messages({ first: nextSeq, last: nextSeq, limit: 1 })
      equal(stored?.json, JSON.stringify(message), name)
      equal(stored?.role, message.role, `role: ${name}`)
      equal(stored?.hash, createHash('sha256').update(JSON.stringify(message)).digest('hex'), `hash: ${name}`)
    }
    const all = await session.messages({ limit: messages.length })
    deepEqual(
      all.map(({ json }) => json),
      messages.map(([, message]) => JSON.stringify(message)),
      'all of them, read at once',
    )
  },

  async 'S11 keeps the id that the host gave a message, its tokens and its time'(harness) {
    const session = await talk(harness.create(), 'a')
    const tokens = 2 ** 40 + 0.5
    for (const [seq, id] of ['host-1', '', 'id\0\ud83d', '😀'].entries()) {
      const message: Message = { role: 'user', content: 'hello', id }
      await session.append({ nextSeq: seq, messages: [{ ...encode(message), tokens }], at: AT + 5.5 })
      const [stored] = await session.messages({ first: seq, limit: 1 })
      const { json, hash, ...rest } = stored ?? { json: '', hash: '' }
      deepEqual(rest, { seq, role: 'user', hostId: id, at: AT + 5.5, tokens, replaced: false })
      equal(json, JSON.stringify(message))
    }
  },

  async 'S12 takes the time of a message that has one of its own, and of the call for the others'(harness) {
    const store = harness.create()
    const session = await talk(store, 'a')
    const [old, plain, late] = userMessages('old', 'plain', 'late')
    if (old === undefined || plain === undefined || late === undefined) throw new Error('there are three')
    const messages = [{ ...old, at: 5 }, plain, { ...late, at: AT - 7 }]
    await session.append({ nextSeq: 0, messages, at: AT + 5 })
    const stored = await session.messages({ limit: 9 })
    const times = [5, AT + 5, AT - 7]
    deepEqual(
      stored.map(({ at }) => at),
      times,
    )
    const found = await session.candidates({ where: [], order: 'oldest', limit: 9 })
    deepEqual(
      found.map(({ at }) => at),
      times,
    )
    const [info] = await store.list({ limit: 1 })
    equal(info?.lastAt, AT - 7)
  },
})

export const readCases = defineCases({
  async 'S20 reads the run that was asked for, from either end, and no more than the limit'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(10))
    const expected: readonly [MessageQuery, number[]][] = [
      [{ limit: 100 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
      [{ limit: 3 }, [0, 1, 2]],
      [{ limit: 0 }, []],
      [{ limit: 3, order: 'newest' }, [9, 8, 7]],
      [{ first: 4, limit: 3 }, [4, 5, 6]],
      [{ last: 4, limit: 3, order: 'newest' }, [4, 3, 2]],
      [{ first: 3, last: 5, limit: 100 }, [3, 4, 5]],
      [{ first: 3, last: 5, limit: 2, order: 'newest' }, [5, 4]],
      [{ first: 5, last: 5, limit: 9 }, [5]],
      [{ first: 6, last: 5, limit: 9 }, []],
      [{ first: -5, last: 1, limit: 9 }, [0, 1]],
      [{ first: 9, last: 1_000_000_000, limit: 9 }, [9]],
      [{ first: 10, limit: 9 }, []],
    ]
    for (const [query, numbers] of expected) {
      const found = await session.messages(query)
      numbered(found, numbers, JSON.stringify(query))
    }
  },

  async 'S21 says which messages are the ones of some numbers, to the last byte, and of no replaced one that it is'(
    harness,
  ) {
    const session = await talk(harness.create(), 'a', ...texts(6))
    await session.append({
      ...{ nextSeq: 6, messages: [], at: AT, version: 0 },
      replace: { from: 4, summaries: [] },
    })
    await say(session, 'instead')
    const said = [...texts(6), 'instead'].map(userMessage)
    const same = async (seqs: number[]) =>
      (
        await session.compare(
          seqs,
          seqs.map((seq) => said[seq] as Message),
        )
      ).map(Number)
    deepEqual(await same([0, 1, 2, 3, 4, 5, 6]), [1, 1, 1, 1, 0, 0, 1])
    deepEqual(await session.compare([1, 3, 6], [said[1], said[2], said[6]] as Message[]), [true, false, true])
    const [first] = said as [Message]
    const others = [
      { ...first, name: 'a' },
      { content: 'text 0', role: 'user' },
      { ...first, role: 'assistant' },
    ]
    for (const other of others as Message[])
      deepEqual(await session.compare([0], [other]), [false], JSON.stringify(other))
    deepEqual(await session.compare([7, 99], [first, first]), [false, false])
    deepEqual(await session.compare([], []), [])
  },

  async 'S22 recognises every message that it has, whatever it holds'(harness) {
    const session = await harness.create().session({ key: 'a' }, AT)
    const given = Object.values(hostileMessages())
    const messages = given.map(encode)
    await session.append({ nextSeq: 0, messages, at: AT })
    const seqs = given.map((_, index) => index)
    deepEqual(
      await session.compare(seqs, given),
      seqs.map(() => true),
    )
    const shifted = [...given.slice(1), ...given.slice(0, 1)]
    deepEqual(
      await session.compare(seqs, shifted),
      seqs.map((seq) => messages[seq]?.json === JSON.stringify(shifted[seq])),
    )
  },
})

export const editCases = defineCases({
  async 'S30 keeps what an edit replaces, shows it on request, and never gives its numbers again'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    const head = await edit(session, 2, [], 'new 2', 'new 3')
    equal(head.nextSeq, 6)
    deepEqual(head.replaced, [{ first: 2, last: 3 }])
    deepEqual(await contents(session), ['text 0', 'text 1', 'new 2', 'new 3'])
    deepEqual(await contents(session, true), [...texts(4), 'new 2', 'new 3'])
    const messages = await session.messages({ limit: 10, includeReplaced: true })
    deepEqual(
      messages.map(({ seq, replaced }) => [seq, replaced]),
      [0, 1, 2, 3, 4, 5].map((seq) => [seq, seq === 2 || seq === 3]),
    )
    const newest = await session.messages({ limit: 3, order: 'newest' })
    numbered(newest, [5, 4, 1])
    await edit(session, 5, [], 'newer 5')
    const live = [0, 1, 4, 6]
    for (const limit of [0, 1, 2, 3, 4, 5]) {
      const query = { where: [], order: 'newest', limit } as const
      for (const rows of [await session.messages(query), await session.candidates(query)])
        numbered(rows, live.toReversed().slice(0, limit), `the newest ${limit}`)
      numbered(await session.messages({ limit }), live.slice(0, limit), `the oldest ${limit}`)
    }
  },

  async 'S31 makes one run of replaced messages of runs that touch, and keeps the others apart'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(10))
    await edit(session, 8, [], 'x', 'y', 'z')
    deepEqual((await edit(session, 12, [], 'v')).replaced, [
      { first: 8, last: 9 },
      { first: 12, last: 12 },
    ])
    deepEqual((await edit(session, 10, [])).replaced, [{ first: 8, last: 13 }])
    deepEqual((await edit(session, 3, [], 'w')).replaced, [{ first: 3, last: 13 }])
    deepEqual(await contents(session), ['text 0', 'text 1', 'text 2', 'w'])
    deepEqual((await edit(session, 0, [], 'all new')).replaced, [{ first: 0, last: 14 }])
    deepEqual(await contents(session), ['all new'])
  },

  async 'S32 counts an edit as a new version, of the moment before the messages that it brings'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    equal((await edit(session, 4, [], 'nothing was replaced')).version, 1)
    equal((await edit(session, 2, [], 'new')).version, 2)
    const versions = await session.versions({ limit: 1 })
    deepEqual(versions, [{ version: 2, reason: 'edit', nextSeq: 5, at: AT + 99 }])
  },

  async 'S33 leaves the frontier that an edit names, and takes none that covers what it replaces'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(9))
    await compactTo(session, 2)
    await compactTo(session, 5)
    await condenseAll(session)
    const before = await stateOf(session)
    const refused = { 'the condensed summary': [3], 'both leaves': [1, 2], 'the later leaf alone': [2] }
    for (const [what, summaries] of Object.entries(refused))
      await refuses(
        () => edit(session, 4, summaries, 'new'),
        'INVALID_FRONTIER',
        `an edit that leaves ${what}`,
      )
    deepEqual(await stateOf(session), before, 'the session after edits that were refused')
    await edit(session, 4, [1], 'new')
    deepEqual(numbersOf(await session.frontier()), [1])
    deepEqual(numbersOf(await session.frontier(3)), [3], 'the frontier of the version before the edit')
  },

  async 'S34 refuses an edit that does not know the frontier or the last message, and does nothing of it'(
    harness,
  ) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    await compactTo(session, 1)
    const before = await stateOf(session)
    const input = { nextSeq: 4, messages: userMessages('new'), at: AT, version: 1 }
    const replace = { from: 3, summaries: [1] }
    const stale = { ...input, version: 0, replace }
    await refuses(() => session.append(stale), 'STORE_CONFLICT', 'an edit on an old frontier')
    const { version: _, ...blind } = { ...input, replace }
    await refuses(() => session.append(blind), 'STORE_CONFLICT', 'an edit that names no frontier')
    const late = { ...input, nextSeq: 3, replace }
    await refuses(() => session.append(late), 'STORE_CONFLICT', 'an edit at an old number')
    for (const from of [5, -1, 0.5]) {
      const beyond = { ...input, replace: { ...replace, from } }
      await refuses(() => session.append(beyond), 'NOT_FOUND', `an edit from m${from} on when m4 is next`)
    }
    deepEqual(await stateOf(session), before, 'the session after edits that were refused')
  },

  async 'S35 begins a frontier at the first message that is left, however much was replaced before it'(
    harness,
  ) {
    const session = await talk(harness.create(), 'a', ...texts(3))
    await edit(session, 0, [], ...texts(4, 'new'))
    await commit(session, [await leaf(session, 1, 3, 5)], [1])
    deepEqual(numbersOf(await session.frontier()), [1])
    await edit(session, 6, [1], 'newer')
    await commit(session, [await leaf(session, 2, 7, 7)], [1, 2])
    const across = await leaf(session, 3, 3, 7)
    equal(across.messages, 4, 'messages that a summary over a replaced one covers')
    deepEqual(numbersOf(await commit(session, [across], [3])), [3])
  },
})

const ALL = { order: 'oldest', limit: 100_000 } as const
const EVERY_TEXT: CandidateQuery = { ...ALL, where: [[{ kind: 'word', text: 'text' }]] }

/** Nothing may be cut short without a word. */
export const longCases = defineCases({
  async 'S23 gives out all of a long session, in one answer if need be'(harness) {
    const session = await talk(harness.create(), 'a')
    const said = texts(1_300)
    const seqs = [...said.keys()]
    const messages = userMessages(...said)
    await session.append({ nextSeq: 0, messages: messages.slice(0, 1_050), at: AT })
    await session.append({ nextSeq: 1_050, messages: messages.slice(1_050), at: AT })
    const first = await leaf(session, 1, 0, 0, 'text 0')
    const create = seqs.slice(0, 110).map((seq) => seal({ ...first, number: seq + 1, first: seq, last: seq }))
    const numbers = create.map(({ number }) => number)
    await commit(session, create, numbers)
    deepEqual(numbersOf(await session.frontier()), numbers)
    await commit(session, [], [])
    const answers = {
      messages: await session.messages({ limit: 100_000 }),
      candidates: await session.candidates(EVERY_TEXT),
      newest: (await session.candidates({ ...EVERY_TEXT, order: 'newest' })).toReversed(),
    }
    for (const [what, rows] of Object.entries(answers)) numbered(rows, seqs, what)
    deepEqual(await session.compare(seqs, said.map(userMessage)), Array(1_300).fill(true))
    deepEqual(numbersOf(await session.frontier(1)), numbers)
    deepEqual(await session.summaries(numbers), create)
    const found = await session.summaryCandidates(EVERY_TEXT)
    numbered(found, numbers)
    const forgotten = await session.forget({ first: 0, last: 249, at: AT, reason: 'asked' })
    deepEqual(forgotten, { messages: 250, summaries: numbers })
  },

  async 'S24 finds what stands at the end of a long text, and gives all of it out'(harness) {
    const text = `${texts(20_000, 'word').join(' ')} needle`
    const session = await talk(harness.create(), 'a', text)
    await compactTo(session, 0, text)
    for (const kind of ['word', 'prefix', 'substring'] as const) {
      const query: CandidateQuery = { ...ALL, where: [[{ kind, text: 'needle' }]] }
      const found = [...(await session.candidates(query)), ...(await session.summaryCandidates(query))]
      deepEqual(
        found.map((row) => row.text === text),
        [true, true],
        kind,
      )
    }
  },
})

/** Values that no clock and no counter should give. */
const NO_NUMBERS: readonly unknown[] = [
  ...[Number.NaN, -1, Number.POSITIVE_INFINITY, 1e17],
  ...[2n, '5', null, undefined, {}],
]

export const inputCases = defineCases({
  async 'S120 refuses times and counts of tokens that are none, names the field, and writes nothing'(
    harness,
  ) {
    const store = harness.create()
    const session = await talk(store, 'a', ...texts(3))
    const [message] = userMessages('new')
    const node = await leaf(session, 1, 0, 1)
    if (message === undefined) throw new Error('there is a message')
    const append = (input: object) =>
      session.append({ nextSeq: 3, messages: [message], at: AT, ...input } as never)
    const commit = (input: object) =>
      session.commit({ version: 0, create: [node], summaries: [1], reason: 'compaction', at: AT, ...input })
    const create = (member: object) => commit({ create: [seal({ ...node, ...member } as never)] })
    const calls: Record<string, (value: unknown) => readonly [string, () => Promise<unknown>]> = {
      'a new session': (at) => ['at', () => store.session({ key: 'new' }, at as number)],
      'an append': (at) => ['at', () => append({ at })],
      'a message': (at) => ['messages[1].at', () => append({ messages: [message, { ...message, at }] })],
      'the tokens of a message': (tokens) => [
        'messages[0].tokens',
        () => append({ messages: [{ ...message, tokens }] }),
      ],
      'a commit': (at) => ['at', () => commit({ at })],
      'a summary': (at) => ['create[0].at', () => create({ at })],
      'what a summary covers': (from) => ['create[0].from', () => create({ from })],
      'the tokens of a summary': (tokens) => ['create[0].tokens', () => create({ tokens })],
      'a deletion': (at) => [
        'at',
        () => session.forget({ first: 0, last: 0, at: at as number, reason: 'x' }),
      ],
      'a lease': (now) => ['now', () => session.acquireLease({ holder: 'me', now: now as number, ttl: 1 })],
    }
    const before = await stateOf(session)
    for (const [what, call] of Object.entries(calls))
      for (const value of NO_NUMBERS) {
        // No time of its own is none that is wrong.
        if (what === 'a message' && value === undefined) continue
        const [path, run] = call(value)
        await refusesInput(run, path, `${what} with ${String(value)}`)
      }
    deepEqual(await stateOf(session), before, 'the session after writes that were refused')
    equal((await store.list({ limit: 9 })).length, 1, 'sessions')
    await append({})
    await refuses(() => append({}), 'STORE_CONFLICT', 'the same append again')
  },
})

async function refusesInput(call: () => Promise<unknown>, path: string, what: string): Promise<void> {
  const error = await refusalOf(call, what)
  equal(PalimpsestError.isInstance(error) ? error.code : error, 'INVALID_OPTION', `the error for ${what}`)
  equal((error as InvalidOptionError).path, path, `the field that the error for ${what} names`)
}
