import { deepEqual, equal, ok } from 'node:assert/strict'
import type { SearchTerm, SessionMatch } from '../../store/candidate-query.ts'
import { exactly } from '../harness/exactly.ts'
import { TERMS, TEXTS } from '../harness/search-terms.ts'
import { compactTo } from '../harness/summaries.ts'
import { AT, talk } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

const ALL = { order: 'oldest', limit: 1_000 } as const

/** Which sessions a search of all of them has to look into. */
export const matchingCases: readonly StoreCase[] = [
  {
    id: 'S108',
    title: 'names every session in which something matches, and what was forked from it',
    async run(harness) {
      const store = harness.create()
      const first = await talk(store, 'first', ...TEXTS)
      await compactTo(first, 2, 'a summary of the heron')
      const child = await first.fork({ key: 'child', seq: 6, summaries: [], at: AT + 50 })
      await child.fork({ key: 'grandchild', seq: 3, summaries: [], at: AT + 60 })
      await talk(store, 'second', 'a walrus in the harbour', 'and nothing else')
      await talk(store, 'third', 'plain words only')
      await talk(
        { ...store, session: (ref, at) => store.session({ ...ref, principal: 'ann' }, at) },
        'hers',
        'a walrus',
      )
      const listed = async (match: SessionMatch, principal = 'local') =>
        (await store.list({ principal, matching: match, limit: 99 })).map(({ key }) => key)
      const terms: SearchTerm[] = [
        ...TERMS.map(([kind, text]) => ({ kind, text })),
        ...['walrus', 'heron', 'plain', 'o', '', 'nowhere at all'].map(
          (text) => ({ kind: 'substring', text }) as const,
        ),
      ]
      for (const term of terms) {
        const where = [[term]]
        for (const among of ['messages', 'summaries', 'both'] as const) {
          const named = await listed({ where, among })
          for (const { principal, key } of await store.list({ principal: 'local', limit: 99 })) {
            const session = await store.find({ principal, key })
            const query = { ...ALL, where, includeReplaced: true }
            const rows = [
              ...(among === 'summaries' ? [] : exactly((await session?.candidates(query)) ?? [], query)),
              ...(among === 'messages'
                ? []
                : exactly((await session?.summaryCandidates(query)) ?? [], query)),
            ]
            if (rows.length > 0)
              ok(named.includes(key), `${term.kind} "${term.text}" stands in ${among} of ${key}`)
          }
        }
      }
      const walrus = { where: [[{ kind: 'word', text: 'walrus' }]], among: 'messages' } as const
      deepEqual((await listed(walrus, 'ann')).includes('hers'), true)
      deepEqual((await listed(walrus)).includes('hers'), false, 'a session of another principal')
      const page = await store.list({
        principal: 'local',
        matching: walrus,
        after: { principal: 'local', key: 'second' },
        limit: 9,
      })
      equal(
        page.some(({ key }) => key <= 'second'),
        false,
        'behind the session that was named',
      )
    },
  },
]
