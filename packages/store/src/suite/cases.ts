import { deepEqual, equal, ok } from 'node:assert/strict'
import type { CandidateQuery, Message, Store, StoredSession } from '@palimpsest/core'
import {
  AT,
  FOUND,
  hostileMessages,
  leaf,
  numbered,
  refusalOf,
  SCRIPTS,
  type StoreCase,
  said,
  talk,
  textsOf,
} from './harness.ts'

const at = AT

async function faultless(store: Store): Promise<void> {
  deepEqual(await store.verify(), [])
}

const numbersOf = async (
  session: StoredSession,
  query: CandidateQuery,
  among: 'messages' | 'summaries' = 'messages',
) => (await session.candidates(among, query)).map(({ number }) => number)

/** The cases of the store suite: every promise of a store. */
export const storeCases: readonly StoreCase[] = [
  {
    id: 'S1',
    title: 'makes a session once, and finds none that was not made',
    async run(harness) {
      const store = await harness.create()
      equal(await store.find({ key: 'a' }), null)
      const [one, other] = await Promise.all([
        store.session({ key: 'a' }, at),
        store.session({ key: 'a' }, at + 5),
      ])
      await one.append({ nextSeq: 0, messages: said('x'), at })
      deepEqual(await textsOf(other), ['x'])
      deepEqual(await (await store.find({ key: 'a' }))?.head(), await one.head())
      equal((await store.list({ limit: 9 })).length, 1)
      deepEqual(await one.frontier(), {
        version: 0,
        reason: 'start',
        nextSeq: 0,
        at: (await one.head()).createdAt,
        summaries: [],
      })
      equal(await refusalOf(store.session({ key: '' }, at), 'a session without an id'), 'INVALID_OPTION')
      equal(await refusalOf(store.session({ key: 'a' }, Number.NaN), 'a time that is none'), 'INVALID_OPTION')
    },
  },
  {
    id: 'S2',
    title: 'keeps sessions and principals apart, whatever they are called',
    async run(harness) {
      const store = await harness.create()
      const names = [
        'a',
        'A',
        'a ',
        'ä',
        'a\u0308',
        '__proto__',
        "'; --",
        '%',
        '_',
        'a/b',
        'a","b',
        '😀',
        'x'.repeat(500),
      ]
      const refs = names.flatMap((name) => [
        { principal: name, key: 'k' },
        { principal: 'p', key: name },
      ])
      for (const [index, ref] of refs.entries()) {
        const session = await store.session(ref, at)
        await session.append({ nextSeq: 0, messages: said(`of ${index}`), at })
        await session.record({ scope: 'shared', events: [{ id: `e${index}`, body: index }] })
      }
      for (const [index, ref] of refs.entries()) {
        const session = await store.find(ref)
        ok(session !== null)
        deepEqual(await textsOf(session), [`of ${index}`])
        deepEqual(await numbersOf(session, { where: [[{ kind: 'substring', text: 'of ' }]], limit: 99 }), [0])
        const own = refs.filter(({ principal }) => principal === ref.principal).length
        equal((await session.events({ scopes: ['shared'] })).length, own)
      }
      equal((await store.list({ limit: 999 })).length, refs.length)
      equal((await store.list({ principal: 'p', limit: 999 })).length, names.length)
      for (const name of ['a\0b', '\ud83d'])
        equal(await refusalOf(store.session({ key: name }, at), name), 'INVALID_OPTION')
    },
  },
  {
    id: 'S3',
    title: 'lists sessions in order, page by page, with what is in them',
    async run(harness) {
      const store = await harness.create()
      for (const key of ['c', 'a', 'b']) await talk(store, key, ...numbered(2, key))
      const first = await store.list({ limit: 2 })
      deepEqual(
        first.map(({ key, messages, summaries }) => [key, messages, summaries]),
        [
          ['a', 2, 0],
          ['b', 2, 0],
        ],
      )
      deepEqual(
        (await store.list({ limit: 2, after: { principal: 'local', key: 'b' } })).map(({ key }) => key),
        ['c'],
      )
      const matching = [[{ kind: 'substring', text: 'c 1' } as const]]
      deepEqual(
        (await store.list({ limit: 9, matching })).map(({ key }) => key),
        ['c'],
      )
    },
  },
  {
    id: 'S4',
    title: 'gives every message back as it was, whatever is in it',
    requires: 'reopen',
    async run(harness) {
      const store = await harness.create()
      const session = await talk(store, 'a')
      const given = Object.entries(hostileMessages())
      await session.append({
        nextSeq: 0,
        messages: given.map(([, message]) => ({ message, tokens: 1.5 })),
        at,
      })
      await store.close()
      const again = await harness.reopen(store)
      const stored = await (await again.find({ key: 'a' }))?.messages()
      for (const [index, [what, message]] of given.entries())
        equal(JSON.stringify(stored?.[index]?.message), JSON.stringify(message), what)
      await faultless(again)
    },
  },
  {
    id: 'S5',
    title: 'keeps what was stored, and a handle that was closed refuses',
    requires: 'reopen',
    async run(harness) {
      const store = await harness.create()
      const session = await talk(store, 'a', 'x', 'y')
      await session.commit({ version: 0, create: [leaf(0, 1)], summaries: [1], reason: 'compaction', at })
      await session.record({ scope: 's', events: [{ id: 'e', body: { a: 1 } }] })
      await session.saveState('last', [1])
      await store.close()
      await store.close()
      equal(await refusalOf(session.head(), 'a closed store'), 'STORE_CLOSED')
      const again = await (await harness.reopen(store)).session({ key: 'a' }, at + 9)
      deepEqual(await textsOf(again), ['x', 'y'])
      deepEqual((await again.frontier()).summaries, [1])
      deepEqual(await again.summaries([1]), [leaf(0, 1)])
      deepEqual(await again.events({ scopes: ['s'] }), [{ seq: 1, scope: 's', id: 'e', body: { a: 1 } }])
      deepEqual(await again.state('last'), [1])
      equal((await again.head()).createdAt, at)
    },
  },
  {
    id: 'S10',
    title: 'takes messages after the last one only, all or none',
    async run(harness) {
      const session = await talk(await harness.create(), 'a', 'x')
      equal(
        await refusalOf(session.append({ nextSeq: 0, messages: said('y'), at }), 'an old head'),
        'STORE_CONFLICT',
      )
      const bad = [...said('y'), { ...said('z')[0], tokens: Number.NaN }] as ReturnType<typeof said>
      equal(await refusalOf(session.append({ nextSeq: 1, messages: bad, at }), 'no count'), 'INVALID_OPTION')
      deepEqual(await textsOf(session), ['x'])
      const head = await session.append({ nextSeq: 1, messages: said(...numbered(1_200)), at })
      equal(head.nextSeq, 1_201)
      deepEqual(await textsOf(session), ['x', ...numbered(1_200)])
    },
  },
  {
    id: 'S11',
    title: 'lets one of several writers at a time go on, and loses nothing',
    async run(harness) {
      const store = await harness.create()
      const handles = await Promise.all(Array.from({ length: 4 }, () => store.session({ key: 'a' }, at)))
      const written = await Promise.all(
        handles.map(async (session, worker) => {
          const own: string[] = []
          for (let tries = 0; own.length < 5 && tries < 200; tries++) {
            const text = `${worker}-${own.length}`
            const { nextSeq } = await session.head()
            const isIn = await session.append({ nextSeq, messages: said(text), at }).then(
              () => true,
              () => false,
            )
            if (isIn) own.push(text)
          }
          return own
        }),
      )
      const texts = await textsOf(handles[0] as StoredSession)
      deepEqual(texts.toSorted(), written.flat().toSorted())
      equal(texts.length, 20)
    },
  },
  {
    id: 'S12',
    title: 'reads messages in either order, within bounds, and no more than the limit',
    async run(harness) {
      const session = await talk(await harness.create(), 'a', ...numbered(20))
      const seqs = async (query: Parameters<StoredSession['messages']>[0]) =>
        (await session.messages(query)).map(({ seq }) => seq)
      deepEqual(await seqs({ first: 5, last: 7 }), [5, 6, 7])
      deepEqual(await seqs({ order: 'newest', limit: 2 }), [19, 18])
      deepEqual(await seqs({ first: 18 }), [18, 19])
      deepEqual(await seqs({ first: 99 }), [])
    },
  },
  {
    id: 'S13',
    title: 'keeps replaced messages out of the conversation, and in the store',
    async run(harness) {
      const store = await harness.create()
      const session = await talk(store, 'a', 'a', 'b', 'c')
      const edit = { at, edits: 0, replaceFrom: 1 }
      const head = await session.append({ ...edit, nextSeq: 3, messages: said('B') })
      deepEqual([head.nextSeq, head.version, head.replaced], [4, 1, [{ first: 1, last: 2 }]])
      deepEqual(await textsOf(session), ['a', 'B'])
      deepEqual(
        (await session.messages({ includeReplaced: true })).map(({ replaced }) => replaced),
        [false, true, true, false],
      )
      equal((await session.frontier()).reason, 'edit')
      await session.append({ nextSeq: 4, messages: [], at, replaceFrom: 3 })
      await session.append({ nextSeq: 4, messages: said('C'), at })
      deepEqual((await session.head()).replaced, [{ first: 1, last: 3 }])
      deepEqual(await textsOf(session), ['a', 'C'])
      equal(
        await refusalOf(session.append({ ...edit, nextSeq: 5, messages: [] }), 'an old count of edits'),
        'STORE_CONFLICT',
      )
      deepEqual(await numbersOf(session, { where: [], limit: 9 }), [0, 4])
      deepEqual(await numbersOf(session, { where: [], limit: 9, includeReplaced: true }), [0, 1, 2, 3, 4])
      await faultless(store)
    },
  },
  {
    id: 'S20',
    title: 'makes summaries a frontier that is one run of the conversation',
    async run(harness) {
      const store = await harness.create()
      const session = await store.session({ key: 'a' }, at)
      const system = { message: { role: 'system', content: 'S' } as Message, tokens: 1 }
      await session.append({ nextSeq: 0, messages: [system, ...said(...numbered(6))], at })
      const commit = (version: number, create: ReturnType<typeof leaf>[], summaries: number[]) =>
        session.commit({ version, create, summaries, reason: 'compaction', at })
      for (const [what, create, list] of [
        ['the system prompt in it', [leaf(0, 2)], [1]],
        ['a gap at its beginning', [leaf(2, 3)], [1]],
        ['a message that is not there', [leaf(1, 9)], [1]],
        ['a summary that is not there', [], [1]],
        ['a wrong count', [leaf(1, 3, { messages: 2 })], [1]],
        ['a number that is not the next', [leaf(1, 3, { number: 2 })], [2]],
        ['a child that is not there', [leaf(1, 3, { children: [7] })], [1]],
      ] as const)
        equal(await refusalOf(commit(0, [...create], [...list]), what), 'INVALID_FRONTIER', what)
      equal((await session.head()).nextSummary, 1)
      await commit(0, [leaf(1, 2), leaf(3, 4, { number: 2 })], [1, 2])
      equal(await refusalOf(commit(0, [], []), 'an old version'), 'STORE_CONFLICT')
      const condensed = leaf(1, 4, { number: 3, depth: 1, children: [1, 2] })
      deepEqual((await commit(1, [condensed], [3])).summaries, [3])
      deepEqual(await session.summaries([3, 99, 1]), [condensed, leaf(1, 2)])
      deepEqual(
        (await session.versions({ limit: 9 })).map(({ version }) => version),
        [2, 1, 0],
      )
      deepEqual(
        (await session.versions({ before: 2, limit: 1 })).map(({ summaries }) => summaries),
        [[1, 2]],
      )
      equal(await refusalOf(session.frontier(9), 'an unknown version'), 'NOT_FOUND')
      await session.commit({ version: 2, create: [], summaries: [1, 2], reason: 'undo', at })
      await faultless(store)
    },
  },
  {
    id: 'S21',
    title: 'opens the summaries that cover what an edit replaces',
    async run(harness) {
      const store = await harness.create()
      const session = await talk(store, 'a', ...numbered(8))
      const create = [
        leaf(0, 1),
        leaf(2, 3, { number: 2 }),
        leaf(4, 5, { number: 3 }),
        leaf(0, 5, { number: 4, depth: 1, children: [1, 2, 3] }),
      ]
      await session.commit({ version: 0, create, summaries: [4], reason: 'compaction', at })
      await session.append({ nextSeq: 8, messages: said('new'), at, replaceFrom: 5 })
      deepEqual((await session.frontier()).summaries, [1, 2])
      await session.append({ nextSeq: 9, messages: [], at, replaceFrom: 4 })
      deepEqual((await session.frontier()).summaries, [1])
      await faultless(store)
    },
  },
  {
    id: 'S23',
    title: 'keeps messages beside the conversation',
    async run(harness) {
      const store = await harness.create()
      const session = await talk(store, 'a', 'a')
      const head = await session.append({ nextSeq: 1, messages: said('an older prompt'), at, aside: true })
      deepEqual([head.nextSeq, head.edits, head.replaced], [2, 0, [{ first: 1, last: 1 }]])
      await session.append({ nextSeq: 2, messages: said('b'), at })
      deepEqual(await textsOf(session), ['a', 'b'])
      await faultless(store)
    },
  },
  {
    id: 'S30',
    title: 'leaves out no text that holds a term, of any script and in either case',
    async run(harness) {
      const session = await talk(await harness.create(), 'a', ...SCRIPTS)
      const summaries = SCRIPTS.map((text, index) => leaf(index, index, { number: index + 1, text }))
      const list = summaries.map(({ number }) => number)
      await session.commit({ version: 0, create: summaries, summaries: list, reason: 'compaction', at })
      for (const [kind, text, expected] of FOUND) {
        const query: CandidateQuery = { where: [[{ kind, text }]], limit: 99 }
        const found = await numbersOf(session, query)
        const inSummaries = await numbersOf(session, query, 'summaries')
        for (const number of expected) {
          ok(found.includes(number), `${kind} ${JSON.stringify(text)} in m${number}`)
          ok(inSummaries.includes(number + 1), `${kind} ${JSON.stringify(text)} in s${number + 1}`)
        }
      }
      deepEqual(await numbersOf(session, { where: [[{ kind: 'word', text: 'zzzz' }]], limit: 99 }), [])
    },
  },
  {
    id: 'S31',
    title: 'finds texts with one term of each list, in order, within bounds and the limit',
    async run(harness) {
      const session = await talk(
        await harness.create(),
        'a',
        ...numbered(50, 'common'),
        'other thing',
        'common thing',
      )
      const term = (text: string) => ({ kind: 'word', text }) as const
      deepEqual(await numbersOf(session, { where: [[term('common')], [term('thing')]], limit: 9 }), [51])
      deepEqual(await numbersOf(session, { where: [[term('other'), term('thing')]], limit: 9 }), [50, 51])
      const common = [[term('common')]]
      deepEqual(await numbersOf(session, { where: common, limit: 3, order: 'newest' }), [51, 49, 48])
      deepEqual(
        await numbersOf(session, { where: common, limit: 3, order: 'newest', last: 46 }),
        [46, 45, 44],
      )
      deepEqual(await numbersOf(session, { where: common, limit: 2, first: 7 }), [7, 8])
    },
  },
  {
    id: 'S32',
    title: 'finds what calls say as it was written',
    async run(harness) {
      const session = await talk(await harness.create(), 'a')
      const message: Message = {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c',
            type: 'function',
            function: { name: 'write_file', arguments: '{"text":"one\\ntwo \\u00e4"}' },
          },
        ],
      }
      await session.append({ nextSeq: 0, messages: [{ message, tokens: 1 }], at })
      for (const text of ['write_file', 'one\ntwo', 'two ä'])
        deepEqual(await numbersOf(session, { where: [[{ kind: 'substring', text }]], limit: 9 }), [0], text)
    },
  },
  {
    id: 'S40',
    title: 'deletes content for good, and the summaries that cover it',
    requires: 'reopen',
    async run(harness) {
      const store = await harness.create()
      const session = await talk(store, 'a', 'keep one', 'secret word', 'keep two')
      const create = [leaf(0, 0, { text: 'kept' }), leaf(1, 2, { number: 2, text: 'the secret' })]
      await session.commit({ version: 0, create, summaries: [1, 2], reason: 'compaction', at })
      await session.saveState('projection', { messages: ['the secret'] })
      await session.saveState('other', 1)
      deepEqual(await session.forget({ first: 1, last: 1, at, reason: 'asked' }), {
        messages: 1,
        summaries: [2],
      })
      deepEqual(await session.forget({ first: 1, last: 1, at, reason: 'asked' }), {
        messages: 0,
        summaries: [],
      })
      const look = async (one: StoredSession) => {
        const [, message] = await one.messages()
        deepEqual([message?.message, message?.forgotten], [null, { at, reason: 'asked' }])
        deepEqual(
          (await one.summaries([1, 2])).map(({ text }) => text),
          ['kept', ''],
        )
        const where = [[{ kind: 'substring', text: 'secret' } as const]]
        deepEqual(await one.candidates('messages', { where, limit: 9 }), [])
        deepEqual(await one.candidates('summaries', { where, limit: 9 }), [])
        deepEqual((await one.frontier()).summaries, [1, 2])
        equal((await one.frontier()).reason, 'forget')
        deepEqual([await one.state('projection'), await one.state('other')], [null, 1])
      }
      await look(session)
      equal(
        await refusalOf(
          session.commit({ version: 1, create: [], summaries: [], reason: 'undo', at }),
          'a writer that holds it',
        ),
        'STORE_CONFLICT',
      )
      await store.close()
      const again = await harness.reopen(store)
      await look((await again.find({ key: 'a' })) as StoredSession)
      await faultless(again)
    },
  },
  {
    id: 'S50',
    title: 'keeps events of scopes that sessions share, each once and in order',
    async run(harness) {
      const store = await harness.create()
      const [one, two] = [await talk(store, 'a'), await talk(store, 'b')]
      await one.record({
        scope: 'project:x',
        events: [
          { id: 'e1', body: 1 },
          { id: 'e2', body: { text: 'a\0b' } },
        ],
      })
      await two.record({ scope: 'session:b', events: [{ id: 'e3', body: null }] })
      await two.record({
        scope: 'project:x',
        events: [
          { id: 'e2', body: 'other' },
          { id: 'e4', body: [] },
        ],
      })
      const read = async (session: StoredSession, scopes: string[], after = 0) =>
        (await session.events({ scopes, after })).map(({ id, body }) => [id, body])
      deepEqual(await read(one, ['project:x']), [
        ['e1', 1],
        ['e2', { text: 'a\0b' }],
        ['e4', []],
      ])
      deepEqual(
        (await read(one, ['project:x', 'session:b'])).map(([id]) => id),
        ['e1', 'e2', 'e3', 'e4'],
      )
      deepEqual(await read(one, []), [])
      const last = (await one.events({ scopes: ['project:x'] })).at(-1)?.seq ?? 0
      deepEqual(await read(one, ['project:x'], last), [])
      await one.record({ scope: 'project:x', known: last, events: [{ id: 'e5', body: 5 }] })
      const late = two.record({ scope: 'project:x', known: last, events: [{ id: 'e6', body: 6 }] })
      equal(await refusalOf(late, 'a scope that went on'), 'STORE_CONFLICT')
      deepEqual(await store.scopes(), ['project:x', 'session:b'])
      deepEqual(await store.scopes('nobody'), [])
    },
  },
  {
    id: 'S51',
    title: 'keeps work with the messages that it is about, until it is done',
    async run(harness) {
      const session = await talk(await harness.create(), 'a')
      const job = { id: 'j1', kind: 'extract', body: { from: 0 } }
      await session.append({ nextSeq: 0, messages: said('x'), at, jobs: [job, { ...job, id: 'j2' }] })
      await session.append({ nextSeq: 1, messages: [], at, jobs: [job] })
      equal(
        await refusalOf(
          session.append({ nextSeq: 0, messages: [], at, jobs: [{ ...job, id: 'j3' }] }),
          'an old head',
        ),
        'STORE_CONFLICT',
      )
      deepEqual(await session.jobs(), [
        { ...job, attempts: 0 },
        { ...job, id: 'j2', attempts: 0 },
      ])
      const now = Date.now()
      equal(await session.takeJob('j1', { holder: 'a', now, ttl: 60_000 }), true)
      equal(await session.takeJob('j1', { holder: 'b', now, ttl: 60_000 }), false)
      await session.releaseJob('j1', 'b')
      equal(await session.takeJob('j1', { holder: 'b', now, ttl: 60_000 }), false)
      await session.releaseJob('j1', 'a')
      equal(await session.takeJob('j1', { holder: 'b', now, ttl: 60_000 }), true)
      equal((await session.jobs())[0]?.attempts, 1)
      await session.record({ scope: 's', events: [{ id: 'e', body: 1 }], finished: ['j1'] })
      deepEqual(
        (await session.jobs()).map(({ id }) => id),
        ['j2'],
      )
      equal(await session.takeJob('j1', { holder: 'b', now, ttl: 1 }), false)
      await session.append({ nextSeq: 1, messages: [], at, jobs: [job] })
      deepEqual(
        (await session.jobs()).map(({ id }) => id),
        ['j2'],
      )
    },
  },
  {
    id: 'S52',
    title: "keeps an engine's state by name",
    async run(harness) {
      const store = await harness.create()
      const [one, two] = [await talk(store, 'a'), await talk(store, 'b')]
      equal(await one.state('last'), null)
      await one.saveState('last', { text: 'a\0\ud83d' })
      await one.saveState('last', { text: 'b\0\ud83d' })
      deepEqual(await one.state('last'), { text: 'b\0\ud83d' })
      equal(await two.state('last'), null)
    },
  },
  {
    id: 'S60',
    title: 'builds its index anew without losing anything',
    async run(harness) {
      const store = await harness.create()
      const session = await talk(store, 'a', ...SCRIPTS)
      await session.forget({ first: 2, last: 2, at, reason: 'asked' })
      const query: CandidateQuery = { where: [[{ kind: 'word', text: 'quick' }]], limit: 9 }
      const before = await numbersOf(session, query)
      deepEqual(await store.repair(), [])
      deepEqual(await numbersOf(session, query), before)
    },
  },
  {
    id: 'S61',
    title:
      'moves sessions, their jobs and states, and events to another store, and refuses an export that is not whole',
    async run(harness) {
      const [store, other] = [await harness.create(), await harness.create()]
      const session = await talk(store, 'a', ...SCRIPTS)
      await session.append({
        nextSeq: 10,
        messages: said('new'),
        at,
        replaceFrom: 8,
      })
      const create = [leaf(0, 3), leaf(4, 7, { number: 2 })]
      await session.commit({ version: 1, create, summaries: [1, 2], reason: 'compaction', at })
      await session.forget({ first: 4, last: 4, at, reason: 'asked' })
      const jobs = [{ id: 'j', kind: 'k', body: { b: 2 } }]
      await session.record({ scope: 's', events: [{ id: 'e', body: { a: 1 } }], jobs })
      await session.saveState('kept', { c: 3 })
      await talk(store, 'b', 'x')
      const lines: string[] = []
      for await (const line of store.export()) lines.push(line)
      const read = (given: readonly string[]) =>
        async function* () {
          yield* given
        }
      for (const [what, given] of [
        ['an export without its end', lines.slice(0, -1)],
        ['a changed line', lines.map((line) => line.replace('quick', 'quack'))],
        ['a line that is missing', lines.filter((_, index) => index !== 3)],
        ['something else', ['{}\n']],
      ] as const) {
        equal(await refusalOf(other.import(read(given)), what), 'INVALID_EXPORT', what)
        deepEqual(await other.list({ limit: 9 }), [], what)
      }
      const [a, b] = [
        { principal: 'local', key: 'a' },
        { principal: 'local', key: 'b' },
      ]
      deepEqual(await other.import(read(lines)), { imported: [a, b], skipped: [] })
      deepEqual(await other.import(read(lines)), { imported: [], skipped: [a, b] })
      await faultless(other)
      const moved: string[] = []
      for await (const line of other.export()) moved.push(line)
      deepEqual(moved, lines)
      const there = (await other.find(a)) as StoredSession
      deepEqual(await there.state('kept'), { c: 3 })
      deepEqual(await there.jobs(), [{ ...jobs[0], attempts: 0 }])
      deepEqual(
        await numbersOf(there, { where: [[{ kind: 'word', text: 'quick' }]], limit: 9 }),
        await numbersOf(session, { where: [[{ kind: 'word', text: 'quick' }]], limit: 9 }),
      )
      const part: string[] = []
      for await (const line of store.export(b)) part.push(line)
      equal(part.length, 5)
    },
  },
]
