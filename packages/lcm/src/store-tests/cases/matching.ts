import { deepEqual, equal, ok } from 'node:assert/strict'
import type { SearchTerm, SessionMatch } from '../../store/lcm-session.ts'
import type { SessionRef } from '../../store/lcm-store.ts'
import { exactly, TERMS, TEXTS } from '../harness/search-terms.ts'
import { compactTo } from '../harness/summaries.ts'
import { edit, talk } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

const ALL = { order: 'oldest', limit: 1_000 } as const

/** Which sessions a search of all of them has to look into. */
export const matchingCases: readonly StoreCase[] = [
  {
    id: 'S108',
    title: 'names every session in which something matches',
    async run(harness) {
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
  },
]
