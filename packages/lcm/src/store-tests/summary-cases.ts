import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import type { CandidateQuery, LcmSession } from '../store/lcm-session.ts'
import {
  AT,
  commit,
  compactTo,
  condense,
  condenseAll,
  contents,
  encode,
  leaf,
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

export const commitCases = defineCases({
  async 'S60 makes new summaries the frontier in one step, and gives every field of them back'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(8))
    const text = ' left\0\ud83d😀 cafe\u0301\r\n'
    const left = seal({
      ...(await leaf(session, 1, 0, 2, text)),
      ...{ tokens: 2 ** 40 + 0.5, sourceTokens: 2 ** 41 + 0.5, at: AT + 0.5, from: AT - 1.5, to: AT - 0.5 },
    })
    const right = await leaf(session, 2, 3, 5, '')
    const both = condense(3, [left, right], 'x'.repeat(100_000))
    const frontier = await commit(session, [left, right, both], [3])
    deepEqual(frontier, { version: 1, nodes: [both] })
    deepEqual(await session.frontier(), frontier)
    deepEqual(await session.summaries([1, 2, 3]), [left, right, both])
    const { nextSummary, version, nextSeq } = await session.head()
    deepEqual([nextSummary, version, nextSeq], [4, 1, 8])
  },

  async 'S69 takes summaries of a later commit, which leave the frontier as it is'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(8))
    const nodes = [await leaf(session, 1, 0, 1), await leaf(session, 2, 2, 3), await leaf(session, 3, 4, 5)]
    deepEqual(await commit(session, nodes.slice(0, 2), []), { version: 1, nodes: [] })
    deepEqual(await session.summaries([1, 2]), nodes.slice(0, 2))
    deepEqual(await commit(session, nodes.slice(2), [1, 2, 3]), { version: 2, nodes })
    deepEqual(await session.frontier(1), { version: 1, nodes: [] })
  },

  async 'S61 gives summaries in the order asked for, and leaves out unknown numbers'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(6))
    for (const last of [1, 3, 5]) await compactTo(session, last)
    const found = await session.summaries([3, 99, 1, 0, -1, 1.5, 3])
    numbered(found, [3, 1, 3])
    await commit(session, [condense(4, await session.summaries([1, 2]))], [4, 3])
    deepEqual(numbersOf(await session.frontier()), [4, 3], 'a frontier in the order of the messages')
    await condenseAll(session)
    deepEqual(numbersOf(await session.frontier(4)), [4, 3], 'the same of an earlier version')
    deepEqual(await session.summaries([]), [])
    const many = Array.from({ length: 5_000 }, (_, index) => index)
    numbered(await session.summaries(many), [1, 2, 3, 4, 5])
  },

  async 'S62 refuses a commit that was planned on an older frontier, and writes nothing of it'(harness) {
    const store = harness.create()
    const session = await talk(store, 'a', ...texts(6))
    const other = await talk(store, 'a')
    const node = await leaf(session, 1, 0, 1)
    await compactTo(other, 2)
    const before = await stateOf(session)
    for (const version of [0, 2, -1])
      await refuses(
        () => session.commit({ version, create: [node], summaries: [1], reason: 'compaction', at: AT }),
        'STORE_CONFLICT',
        `a commit on version ${version} when it is 1`,
      )
    deepEqual(await stateOf(session), before)
  },

  async 'S63 lets messages come while a summary is being written'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    const node = await leaf(session, 1, 0, 1)
    await say(session, 'meanwhile')
    deepEqual(numbersOf(await commit(session, [node], [1])), [1])
    equal((await session.versions({ limit: 1 }))[0]?.nextSeq, 5)
  },

  async 'S64 refuses a frontier that is no unbroken run from the first message, and writes nothing of it'(
    harness,
  ) {
    const session = await talk(harness.create(), 'a', ...texts(10))
    for (const last of [1, 3, 5]) await compactTo(session, last)
    const before = await stateOf(session)
    const gap = await leaf(session, 4, 7, 8)
    const overlap = await leaf(session, 4, 5, 7)
    const late = await leaf(session, 4, 1, 3)
    const beyond = { ...(await leaf(session, 4, 6, 9)), last: 10, messages: 5 }
    const wrongCount = { ...(await leaf(session, 4, 6, 8)), messages: 2 }
    const backwards = { ...(await leaf(session, 4, 6, 7)), last: 5, messages: 0 }
    const refused: Record<string, [Parameters<typeof commit>[1], number[]]> = {
      'a gap between summaries': [[gap], [1, 2, 3, 4]],
      'a gap where a summary was left out': [[], [1, 3]],
      'a gap at the beginning': [[], [2, 3]],
      'a beginning inside a run': [[late], [4]],
      'summaries that overlap': [[overlap], [1, 2, 3, 4]],
      'a summary twice': [[], [1, 1, 2, 3]],
      'summaries in the wrong order': [[], [2, 1, 3]],
      'a summary that is not there': [[], [1, 2, 3, 4]],
      'a summary of messages that are not there': [[beyond], [1, 2, 3, 4]],
      'a summary that counts its messages wrong': [[wrongCount], [1, 2, 3, 4]],
      'a summary of nothing': [[backwards], [1, 2, 3, 4]],
    }
    for (const [what, [create, summaries]] of Object.entries(refused))
      await refuses(() => commit(session, create, summaries), 'INVALID_FRONTIER', what)
    deepEqual(await stateOf(session), before)
  },

  async 'S65 refuses new summaries with a wrong number, or over summaries that are not there before them'(
    harness,
  ) {
    const session = await talk(harness.create(), 'a', ...texts(6))
    await compactTo(session, 1)
    const before = await stateOf(session)
    const [next, skipped, taken] = [
      await leaf(session, 2, 2, 3),
      await leaf(session, 3, 2, 3),
      await leaf(session, 1, 2, 3),
    ]
    const [own] = await session.summaries([1])
    if (own === undefined) throw new Error('there is a summary')
    const over = condense(3, [own, next])
    const refused: Record<string, [Parameters<typeof commit>[1], number[]]> = {
      'a number that leaves one out': [[skipped], [1, 3]],
      'a number that is taken': [[taken], [1]],
      'a parent before its child': [[condense(2, [own, skipped]), skipped], [2]],
      'a child that is not there': [[{ ...over, number: 2, children: [1, 9] }], [2]],
      'itself as its child': [[{ ...over, number: 2, children: [1, 2] }], [2]],
    }
    for (const [what, [create, summaries]] of Object.entries(refused))
      await refuses(() => commit(session, create, summaries), 'INVALID_FRONTIER', `a summary with ${what}`)
    deepEqual(await stateOf(session), before)
  },

  async 'S66 begins a frontier behind the leading instructions, and covers later ones'(harness) {
    const session = await talk(harness.create(), 'a')
    const instructions = [
      encode({ role: 'system', content: 'one' }),
      encode({ role: 'developer', content: 'two' }),
    ]
    const leading = Array.from({ length: 10 }, () => instructions).flat()
    const messages = [...leading, ...userMessages('hello'), ...instructions, ...userMessages('more')]
    await session.append({ nextSeq: 0, messages, at: AT })
    for (const first of [0, 19, 21]) {
      const node = await leaf(session, 1, first, 22)
      await refuses(
        () => commit(session, [node], [1]),
        'INVALID_FRONTIER',
        `a frontier that begins at m${first}`,
      )
    }
    deepEqual(numbersOf(await commit(session, [await leaf(session, 1, 20, 22)], [1])), [1])
  },

  async 'S67 remembers every version of the frontier, why and when it came to be'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    await compactTo(session, 1)
    await say(session, 'more')
    await compactTo(session, 3)
    await condenseAll(session)
    await session.commit({ version: 3, create: [], summaries: [1, 2], reason: 'undo', at: AT + 5 })
    const versions = await session.versions({ limit: 10 })
    deepEqual(versions, [
      { version: 4, reason: 'undo', nextSeq: 5, at: AT + 5 },
      { version: 3, reason: 'compaction', nextSeq: 5, at: AT },
      { version: 2, reason: 'compaction', nextSeq: 5, at: AT },
      { version: 1, reason: 'compaction', nextSeq: 4, at: AT },
      { version: 0, reason: 'start', nextSeq: 0, at: AT },
    ])
    deepEqual(await session.versions({ limit: 2 }), versions.slice(0, 2))
    deepEqual(await session.versions({ before: 3, limit: 2 }), versions.slice(2, 4))
    deepEqual(await session.versions({ before: 0, limit: 2 }), [])
    const lists = await Promise.all(
      [0, 1, 2, 3, 4].map(async (version) => numbersOf(await session.frontier(version))),
    )
    deepEqual(lists, [[], [1], [1, 2], [3], [1, 2]])
    for (const version of [5, -1, 0.5])
      await refuses(() => session.frontier(version), 'NOT_FOUND', `the frontier of version ${version}`)
  },
})

export const leaseCases = defineCases({
  async 'S80 gives the lease of a session to one holder at a time, who can prolong it'(harness) {
    const store = harness.create()
    const session = await talk(store, 'a')
    const mine = await session.acquireLease({ holder: 'me', now: 1_000, ttl: 100 })
    ok(mine !== null, 'the first lease')
    equal(mine.holder, 'me')
    equal(await session.acquireLease({ holder: 'you', now: 1_099, ttl: 100 }), null)
    deepEqual(await session.acquireLease({ holder: 'me', now: 1_050, ttl: 100 }), mine)
    equal(await session.acquireLease({ holder: 'you', now: 1_149, ttl: 100 }), null, 'while it is prolonged')
    const other = await talk(store, 'b')
    const holders = texts(9, 'holder')
    const all = await Promise.all(
      holders.map((holder) => other.acquireLease({ holder, now: 1_000, ttl: 50 })),
    )
    equal(all.filter((lease) => lease !== null).length, 1, 'leases of many who ask at the same time')
    notEqual(await other.acquireLease({ holder: 'you', now: 1_050, ttl: 100 }), null, 'of another session')
  },

  async 'S81 gives a lease that ran out or was given back to the next one, with a greater token'(harness) {
    const session = await talk(harness.create(), 'a')
    const tokens: number[] = []
    for (const [holder, now] of [
      ['me', 1_000],
      ['you', 1_100],
      ['me', 1_200],
    ] as const) {
      const lease = await session.acquireLease({ holder, now, ttl: 100 })
      ok(lease !== null, `the lease at ${now}`)
      tokens.push(lease.token)
    }
    const held = { holder: 'me', token: tokens[2] ?? 0 }
    for (const lost of [
      { holder: 'you', token: tokens[1] ?? 0 },
      { holder: 'me', token: tokens[0] ?? 0 },
      { holder: 'you', token: tokens[2] ?? 0 },
    ])
      await session.releaseLease(lost)
    equal(
      await session.acquireLease({ holder: 'you', now: 1_201, ttl: 100 }),
      null,
      'after a release by who lost it',
    )
    await session.releaseLease(held)
    const next = await session.acquireLease({ holder: 'you', now: 1_202, ttl: 100 })
    tokens.push(next?.token ?? 0)
    deepEqual(
      tokens,
      [...new Set(tokens)].sort((left, right) => left - right),
      'tokens that grow',
    )
    await session.releaseLease(held)
  },

  async 'S82 refuses the commit of a writer whose lease another one has taken over, and writes nothing of it'(
    harness,
  ) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    const late = await session.acquireLease({ holder: 'late', now: 1_000, ttl: 10 })
    const next = await session.acquireLease({ holder: 'next', now: 1_010, ttl: 10 })
    if (late === null || next === null) throw new Error('both leases were free')
    const input = {
      version: 0,
      create: [await leaf(session, 1, 0, 1)],
      summaries: [1],
      reason: 'compaction',
      at: AT,
    } as const
    const before = await stateOf(session)
    await refuses(
      () => session.commit({ ...input, lease: late }),
      'STORE_CONFLICT',
      'a commit under a lost lease',
    )
    deepEqual(await stateOf(session), before)
    deepEqual(numbersOf(await session.commit({ ...input, lease: next })), [1])
  },

  async 'S83 lets a holder commit under a lease that ran out and was not taken'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    const lease = await session.acquireLease({ holder: 'me', now: 1_000, ttl: 10 })
    if (lease === null) throw new Error('the lease was free')
    const create = [await leaf(session, 1, 0, 1)]
    const input = { version: 0, create, summaries: [1], reason: 'compaction', at: 2_000, lease } as const
    deepEqual(numbersOf(await session.commit(input)), [1])
  },

  async 'S84 loses nothing of an append, a commit and a lease at the same time'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    const append = async () => {
      const { nextSeq } = await session.head()
      return () => session.append({ nextSeq, messages: userMessages('meanwhile'), at: AT })
    }
    for (const turn of [1, 2]) {
      const create = [await leaf(session, turn, turn * 2 - 2, turn * 2 - 1)]
      const input = { version: turn - 1, create, summaries: [1, 2].slice(0, turn), at: AT } as const
      const writes: (() => Promise<unknown>)[] = [
        await append(),
        () => session.commit({ ...input, reason: 'compaction' }),
        () => session.acquireLease({ holder: 'me', now: AT, ttl: 1_000 }),
      ]
      await Promise.all((turn === 1 ? writes : writes.toReversed()).map((write) => write()))
      const { nextSeq, nextSummary, version } = await session.head()
      deepEqual([nextSeq, nextSummary, version], [4 + turn, 1 + turn, turn], `the head after turn ${turn}`)
      const request = { holder: 'you', now: AT, ttl: 1_000 }
      equal(await session.acquireLease(request), null, `the lease after turn ${turn}`)
    }
    const late = await append()
    await Promise.all([session.releaseLease({ holder: 'me', token: 1 }), late()])
    equal((await session.head()).nextSeq, 7)
  },
})

const SECRET: CandidateQuery = {
  where: [[{ kind: 'substring', text: 'secret' }]],
  order: 'oldest',
  limit: 100,
}
const tombstone = { at: AT + 9, reason: 'the user asked\0\ud83d' }

/** Forgets one message or a run. */
const forget = (session: LcmSession, first: number, last = first) =>
  session.forget({ first, last, ...tombstone })

/** The only operation that loses something. */
export const forgetCases = defineCases({
  async 'S90 deletes the content of a message and of the summaries over it, and keeps numbers, hashes and the reason'(
    harness,
  ) {
    const session = await talk(harness.create(), 'a', 'one', 'my secret', 'three', 'four', 'five')
    await compactTo(session, 1, 'a secret\0\ud83d was told')
    await compactTo(session, 3, 'nothing')
    await condenseAll(session)
    const [before] = await session.messages({ first: 1, limit: 1 })
    const nodes = await session.summaries([1, 2, 3])
    deepEqual(await forget(session, 1), { messages: 1, summaries: [1, 3] })
    const [after] = await session.messages({ first: 1, limit: 1 })
    deepEqual(after, { ...before, json: '', forgotten: tombstone })
    deepEqual(await session.summaries([1, 2, 3]), [
      ...nodes.slice(0, 1).map((node) => ({ ...node, text: '', forgotten: tombstone })),
      ...nodes.slice(1, 2),
      ...nodes.slice(2, 3).map((node) => ({ ...node, text: '', forgotten: tombstone })),
    ])
    const searched = await session.candidates({ ...SECRET, where: [] })
    numbered(searched, [0, 2, 3, 4], 'what a search for anything looks at')
    deepEqual(await session.candidates(SECRET), [])
    deepEqual(await session.summaryCandidates(SECRET), [])
    const summaries = await session.summaryCandidates({ ...SECRET, where: [] })
    numbered(summaries, [2], 'the summaries that it looks at')
    deepEqual(await contents(session), ['one', '(forgotten)', 'three', 'four', 'five'])
    const said = ['one', 'my secret', 'three', 'four', 'another'].map(userMessage)
    deepEqual(await session.compare([0, 1, 2, 3, 4], said), [true, true, true, true, false])
    ok(!JSON.stringify(await stateOf(session)).includes('secret'), 'the session after forgetting')
    deepEqual(
      (await session.frontier()).nodes.map(({ number, text }) => [number, text]),
      [[3, '']],
    )
    deepEqual((await session.versions({ limit: 1 }))[0], {
      ...{ version: 4, reason: 'forget', nextSeq: 5, at: tombstone.at },
    })
  },

  async 'S91 forgets a run, counts nothing twice, and nothing that is not there'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(6))
    for (const last of [1, 3, 4]) await compactTo(session, last)
    deepEqual(await forget(session, 2, 2), { messages: 1, summaries: [2] })
    deepEqual(await forget(session, 2, 3), { messages: 1, summaries: [] })
    deepEqual(await forget(session, 1, 3), { messages: 1, summaries: [1] })
    deepEqual(await session.forget({ first: 2, last: 2, at: AT + 50, reason: 'again' }), {
      messages: 0,
      summaries: [],
    })
    const [stored] = await session.messages({ first: 2, limit: 1 })
    deepEqual(stored?.forgotten, tombstone, 'the reason that was given first')
    const nodes = await session.summaries([1, 2, 3])
    deepEqual(
      nodes.map(({ forgotten }) => forgotten),
      [tombstone, tombstone, undefined],
    )
    deepEqual(await forget(session, 6, 1_000), { messages: 0, summaries: [] })
    deepEqual(await forget(session, 5, 4), { messages: 0, summaries: [] })
    deepEqual(await forget(session, -3, 0), { messages: 1, summaries: [] })
    await say(session, 'goes on')
    equal((await session.head()).nextSeq, 7)
  },

  async 'S92 leaves the other sessions alone, whose messages have the same numbers'(harness) {
    const store = harness.create()
    const [session, other] = [await talk(store, 'a', ...texts(4)), await talk(store, 'b', ...texts(4))]
    for (const each of [session, other]) await compactTo(each, 1)
    const before = await stateOf(other)
    deepEqual(await forget(session, 0, 2), { messages: 3, summaries: [1] })
    deepEqual(await stateOf(other), before)
  },

  async 'S94 refuses a writer that knows what was forgotten, and keeps the list of summaries'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(4))
    await compactTo(session, 0)
    const { nextSeq, version } = await session.head()
    await forget(session, 1)
    const append = () => session.append({ nextSeq, version, messages: userMessages('late'), at: AT })
    const commit = () => session.commit({ version, create: [], summaries: [], reason: 'compaction', at: AT })
    await refuses(append, 'STORE_CONFLICT', 'an append by who knows what was forgotten')
    await refuses(commit, 'STORE_CONFLICT', 'a commit by who knows what was forgotten')
    deepEqual(numbersOf(await session.frontier()), [1])
    deepEqual(numbersOf(await session.frontier(version)), [1], 'the list before')
    const before = await stateOf(session)
    await forget(session, 1)
    deepEqual(await stateOf(session), before, 'after what is forgotten was forgotten again')
  },

  async 'S95 takes a message and a summary that were forgotten before they were imported'(harness) {
    const session = await talk(harness.create(), 'a', 'one')
    const [message] = userMessages('secret')
    if (message === undefined) throw new Error('there is a message')
    const empty = { json: '', text: '', forgotten: tombstone }
    await session.append({ nextSeq: 1, messages: [{ ...message, ...empty }], at: AT })
    const node = { ...(await leaf(session, 1, 0, 1)), text: '', forgotten: tombstone }
    await commit(session, [node], [1])
    const [, stored] = await session.messages({ limit: 2 })
    deepEqual([stored?.json, stored?.hash, stored?.forgotten], ['', message.hash, tombstone])
    deepEqual(await session.summaries([1]), [node])
    equal((await session.candidates({ ...SECRET, where: [] })).length, 1, 'messages that a search reads')
    deepEqual(await session.compare([1], [userMessage('secret')]), [true])
  },
})
