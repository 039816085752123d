import { deepEqual, equal, ok } from 'node:assert/strict'
import type { CandidateQuery, LcmSession, SearchTerm, SessionMatch } from '../store/lcm-session.ts'
import type { SessionRef } from '../store/lcm-store.ts'
import {
  AT,
  compactTo,
  condenseAll,
  edit,
  encode,
  exactly,
  leaf,
  numbered,
  TERMS,
  TEXTS,
  talk,
  texts,
  userMessages,
} from './harness.ts'
import { defineCases } from './store-case.ts'

const ALL = { order: 'oldest', limit: 1_000 } as const

export const candidateCases = defineCases({
  async 'S50 leaves out no message that matches a word, a prefix or a part, of any script and in either case'(
    harness,
  ) {
    const store = harness.create()
    const searchAll = async (session: LcmSession, order: CandidateQuery['order']) => {
      for (const [kind, text, numbers] of TERMS) {
        const query: CandidateQuery = { ...ALL, order, where: [[{ kind, text }]] }
        const found = exactly(await session.candidates(query), query)
        numbered(
          found,
          order === 'oldest' ? numbers : numbers.toReversed(),
          `${kind} ${JSON.stringify(text)}, ${order} first`,
        )
      }
    }
    await searchAll(await talk(store, 'a', ...TEXTS), 'oldest')
    const session = await talk(store, 'b')
    for (const [seq, message] of userMessages(...TEXTS).entries())
      await session.append({ nextSeq: seq, messages: [message], at: AT })
    await searchAll(session, 'newest')
  },

  async 'S51 finds texts that match one term of each list, and every text when there is none'(harness) {
    const session = await talk(harness.create(), 'a', ...TEXTS)
    const word = (text: string): SearchTerm => ({ kind: 'word', text })
    const part = (text: string): SearchTerm => ({ kind: 'substring', text })
    const expected: readonly [CandidateQuery['where'], number[]][] = [
      [[], TEXTS.map((_, index) => index)],
      [
        [[word('fox')], [word('quick')]],
        [0, 8],
      ],
      [[[word('fox'), word('foxes')]], [0, 2, 8]],
      [
        [
          [word('brown'), part('寿司')],
          [part('o'), part('食')],
        ],
        [0, 3],
      ],
      [[[part('搜索')], [part('검')], [word('and')]], [4]],
      [[[word('fox')], [word('absent')]], []],
    ]
    for (const [where, numbers] of expected) {
      const found = exactly(await session.candidates({ ...ALL, where }), { where })
      numbered(found, numbers, JSON.stringify(where))
    }
  },

  async 'S52 gives candidates in order, within the bounds, and no more than the limit'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(50, 'common'))
    const where = [[{ kind: 'word', text: 'common' } as const]]
    for (const terms of [where, [], [[{ kind: 'substring', text: 'omm' } as const]]]) {
      const seqs = async (query: Omit<CandidateQuery, 'where'>) =>
        (await session.candidates({ ...query, where: terms })).map(({ seq }) => seq)
      deepEqual(await seqs({ order: 'newest', limit: 3 }), [49, 48, 47])
      deepEqual(await seqs({ order: 'oldest', limit: 3 }), [0, 1, 2])
      deepEqual(await seqs({ order: 'newest', last: 46, limit: 2 }), [46, 45])
      deepEqual(await seqs({ order: 'oldest', first: 10, last: 12, limit: 9 }), [10, 11, 12])
      deepEqual(await seqs({ order: 'newest', first: 48, limit: 9 }), [49, 48])
      deepEqual(await seqs({ order: 'newest', first: 5, last: 4, limit: 9 }), [])
      deepEqual(await seqs({ order: 'newest', limit: 0 }), [])
    }
  },

  async 'S53 pages through all candidates without one missing or twice'(harness) {
    const said = texts(40).map((text, index) => (index % 3 === 0 ? `fox ${text}` : text))
    const session = await talk(harness.create(), 'a', ...said.slice(0, 20))
    const messages = userMessages(...said.slice(20))
    await session.append({ nextSeq: 20, messages, at: AT })
    const where: CandidateQuery['where'] = [[{ kind: 'prefix', text: 'fo' }]]
    const found: number[] = []
    let last: number | undefined
    for (let pages = 0; pages < 20; pages++) {
      const page = await session.candidates({
        where,
        order: 'newest',
        limit: 4,
        ...(last === undefined ? {} : { last }),
      })
      ok(page.length <= 4, 'rows of a page')
      found.push(...exactly(page, { where }).map(({ seq }) => seq))
      const oldest = page.at(-1)
      if (page.length < 4 || oldest === undefined) break
      last = oldest.seq - 1
    }
    deepEqual(found, [39, 36, 33, 30, 27, 24, 21, 18, 15, 12, 9, 6, 3, 0])
  },

  async 'S54 finds replaced messages only for who asks for them'(harness) {
    const session = await talk(harness.create(), 'a', 'old fox')
    const messages = userMessages('second fox')
    await session.append({ nextSeq: 1, messages, at: AT })
    await edit(session, 1, [], 'new fox')
    const where: CandidateQuery['where'] = [[{ kind: 'word', text: 'fox' }]]
    const live = await session.candidates({ ...ALL, where })
    deepEqual(
      live.map(({ seq, replaced }) => [seq, replaced]),
      [
        [0, false],
        [2, false],
      ],
    )
    const all = await session.candidates({ ...ALL, where, includeReplaced: true })
    deepEqual(
      all.map(({ seq, replaced }) => [seq, replaced]),
      [
        [0, false],
        [1, true],
        [2, false],
      ],
    )
  },

  async 'S55 finds what stands in the arguments and results of calls, and says role and time'(harness) {
    const session = await talk(harness.create(), 'a')
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'read_file', arguments: '{"path":"deep/needle.ts"}' },
    } as const
    const messages = [
      encode({ role: 'assistant', content: null, tool_calls: [call] }),
      encode({ role: 'tool', tool_call_id: 'call_1', content: 'a haystack' }),
    ]
    await session.append({ nextSeq: 0, messages, at: AT + 7 })
    for (const text of ['needle', 'read_file', 'deep']) {
      const query: CandidateQuery = { ...ALL, where: [[{ kind: 'word', text }]] }
      const [found] = exactly(await session.candidates(query), query)
      deepEqual([found?.seq, found?.role, found?.at], [0, 'assistant', AT + 7], text)
      equal(found?.text, messages[0]?.text)
    }
  },

  async 'S56 finds every summary of the session, those too that stand behind a condensed one'(harness) {
    const session = await talk(harness.create(), 'a', ...texts(6))
    await compactTo(session, 1, 'the fox of the beginning')
    const create = [await leaf(session, 2, 2, 3, 'no animal, but 寿司 ÜBER all')]
    const input = { version: 1, create, summaries: [1, 2], at: AT } as const
    await session.commit({ ...input, reason: 'compaction' })
    await condenseAll(session)
    const numbers = async (query: CandidateQuery) => {
      const found: readonly { readonly number: number; readonly text: string }[] =
        await session.summaryCandidates(query)
      return exactly(found, query).map(({ number }) => number)
    }
    deepEqual(await numbers({ ...ALL, where: [] }), [1, 2, 3])
    deepEqual(await numbers({ where: [], order: 'newest', limit: 2 }), [3, 2])
    const animal: CandidateQuery = { ...ALL, where: [[{ kind: 'substring', text: 'AN' }]] }
    deepEqual(await numbers({ ...animal, order: 'newest' }), [3, 2])
    deepEqual(await numbers({ ...ALL, where: [], first: 2, last: 2 }), [2])
    deepEqual(await numbers({ ...ALL, where: [[{ kind: 'word', text: 'FOX' }]] }), [1])
    for (const text of ['司', 'übe'])
      deepEqual(await numbers({ ...ALL, where: [[{ kind: 'substring', text }]] }), [2], text)
    deepEqual(await numbers({ ...ALL, where: [[{ kind: 'prefix', text: 'anim' }]] }), [2])
    const [first] = await session.summaryCandidates({ ...ALL, where: [], limit: 1 })
    deepEqual(first, { number: 1, depth: 0, first: 0, last: 1, at: AT, text: 'the fox of the beginning' })
    await edit(session, 1, [])
    deepEqual(await numbers({ ...ALL, where: [] }), [1, 2, 3], 'after an edit of what they cover')
  },

  async 'S57 takes a search for what it says, whatever characters stand in it'(harness) {
    const session = await talk(harness.create(), 'a', ...TEXTS)
    const hostile = [...`" ' * ( ) ^ a"b NOT OR AND NEAR - : { \\ %`.split(' '), '\0', '\ud83d', '', ' ']
    for (const kind of ['word', 'prefix', 'substring'] as const)
      for (const text of [...hostile, 'x'.repeat(10_000)]) await searchHolds(session, { kind, text })
  },
})

/** Leaving out a candidate is right: it does not match the term. */
async function searchHolds(session: LcmSession, term: SearchTerm): Promise<void> {
  const where = [[term]]
  const matching = exactly(await session.candidates({ ...ALL, where: [] }), { where })
  const found = new Set((await session.candidates({ ...ALL, where })).map(({ seq }) => seq))
  for (const { seq } of matching)
    ok(found.has(seq), `${term.kind} ${JSON.stringify(term.text)} must find m${seq}`)
}

/** Which sessions a search of all of them has to look into. */
export const matchingCases = defineCases({
  async 'S108 names every session in which something matches'(harness) {
    const store = harness.create()
    const first = await talk(store, 'first', ...TEXTS)
    await compactTo(first, 2, 'a summary of the heron')
    const second = await talk(store, 'second', 'a walrus in the harbour', 'and nothing else')
    const third = await talk(store, 'third', 'plain words only')
    const edited = await talk(store, 'edited', 'an otter')
    await edit(edited, 0, [], 'not there any more')
    await compactTo(third, 0, 'an ibex')
    const sessions = [first, second, third, edited]
    await talk(
      { ...store, session: (ref, at) => store.session({ ...ref, principal: 'ann' }, at) },
      'hers',
      'a walrus',
    )
    const listed = async (match: SessionMatch, principal = 'local') =>
      (await store.list({ principal, matching: match, limit: 99 })).map(({ key }) => key)
    const terms: SearchTerm[] = [
      ...TERMS.map(([kind, text]) => ({ kind, text })),
      ...['walrus', 'heron', 'plain', 'otter', 'ibex', 'o', '', 'nowhere at all'].map(
        (text) => ({ kind: 'substring', text }) as const,
      ),
    ]
    for (const term of terms) {
      const where = [[term]]
      const query = { ...ALL, where, includeReplaced: true }
      const named = {
        messages: await listed({ where, among: 'messages' }),
        summaries: await listed({ where, among: 'summaries' }),
      }
      const either = await listed({ where, among: 'both' })
      for (const session of sessions) {
        const { key } = session
        const found = {
          messages: exactly(await session.candidates(query), query).length > 0,
          summaries: exactly(await session.summaryCandidates(query), query).length > 0,
        }
        for (const among of ['messages', 'summaries'] as const)
          if (found[among]) {
            ok(named[among].includes(key), `${term.kind} "${term.text}" stands in ${among} of ${key}`)
            ok(either.includes(key), `${term.kind} "${term.text}" stands in ${key}`)
          }
      }
    }
    const walrus = { where: [[{ kind: 'word', text: 'walrus' }]], among: 'messages' } as const
    deepEqual((await listed(walrus, 'ann')).includes('hers'), true)
    deepEqual((await listed(walrus)).includes('hers'), false, 'a session of another principal')
    const query = { principal: 'local', matching: walrus } as const
    const page = await store.list({ ...query, after: { principal: 'local', key: 'second' }, limit: 9 })
    equal(
      page.some(({ key }) => key <= 'second'),
      false,
      'behind the session that was named',
    )
    const paged: string[] = []
    for (let after: Required<SessionRef> | undefined, isMore = true; isMore; ) {
      const [next] = await store.list({ ...query, ...(after && { after }), limit: 1 })
      after = next
      isMore = next !== undefined && !paged.includes(next.key)
      if (next !== undefined) paged.push(next.key)
    }
    ok(paged.includes('second'), 'a session that matches is on one of the pages')
  },
})
