import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTermFinder } from '../../src/search/find-term.ts'
import type { SearchTerm } from '../../src/store/lcm-session.ts'
import { say, summarize, useFolders } from './store-folder.ts'

const { open, path } = useFolders()

/** Words by the letter: marks and numbers that are no digits divide them. */
function strictWord({ kind, text: wanted }: SearchTerm): RegExp {
  const pattern = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (kind === 'substring') return new RegExp(pattern, 'iu')
  const end = kind === 'word' ? '(?![\\p{L}\\p{Nd}_])' : ''
  return new RegExp(`(?<![\\p{L}\\p{Nd}_])${pattern}${end}`, 'iu')
}

function finderOf(term: SearchTerm): (text: string) => boolean {
  const find = createTermFinder(term)
  const word = strictWord(term)
  return (text) => find(text, 0) !== null || word.test(text)
}

describe('candidates', () => {
  it('never leaves out a row that matches, in any script', async () => {
    const store = open(path())
    const odd =
      'aAbBßẞsSſkK\u212AiIİıσΣςéÉe\u0301\u0345ιǰŉﬀ²Ⅷ_09 .-"*\'()^:+漢字語かなカナーｶﾅ한글\u{20000}\u{30001}😀\u0130Ⓐⓐµμ\ue000\n\t'
    const unit = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...odd) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    )
    const text = fc.array(unit, { maxLength: 24 }).map((units) => units.join(''))
    const kind = fc.constantFrom('word', 'prefix', 'substring')
    let [rows, asked, found] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 5, maxLength: 20 }),
        fc.infiniteStream(fc.tuple(kind, fc.nat(), fc.nat(3), fc.nat(3))),
        async (texts, stream) => {
          const session = await store.session({ key: String(rows) }, 1)
          await say(session, ...texts)
          const { nextSeq } = await session.head()
          await summarize(session, 0, nextSeq - 1, texts.join('\n'))
          rows += texts.length
          const stored = await session.candidates({ where: [], order: 'oldest', limit: 1e9 })
          const source = stored.map((row) => row.text).join(' ')
          // Terms are cut out of the texts, and some have their case changed.
          const terms = [...stream.take(24)]
            .map(([kind, at, length, change]): SearchTerm => {
              const cut = [...source]
                .slice(at % Math.max(1, source.length), (at % Math.max(1, source.length)) + length + 1)
                .join('')
              return { kind, text: [cut, cut.toLowerCase(), cut.toUpperCase(), cut][change] ?? cut }
            })
            .filter((term) => term.text !== '')
          const queries = [
            ...terms.map((term) => [[term]]),
            [terms.slice(0, 2), terms.slice(2, 3)],
            terms.slice(0, 3).map((term) => [term]),
          ]
          for (const where of queries.filter((lists) => lists.every((list) => list.length > 0))) {
            const seqs = (await session.candidates({ where, order: 'newest', limit: 1e9 })).map(
              ({ seq }) => seq,
            )
            asked++
            const finders = where.map((list) => list.map(finderOf))
            const meets = (text: string) => finders.every((list) => list.some((finds) => finds(text)))
            for (const row of stored) {
              if (!meets(row.text)) continue
              found++
              expect(seqs, JSON.stringify({ where, text: row.text })).toContain(row.seq)
            }
            const [summary] = await session.summaryCandidates({ where: [], order: 'newest', limit: 1 })
            if (summary !== undefined && meets(summary.text))
              expect(await session.summaryCandidates({ where, order: 'newest', limit: 1 })).toHaveLength(1)
          }
        },
      ),
      { numRuns: 100 },
    )
    console.log(`rows ${rows}, queries ${asked}, matches that had to be found ${found}`)
    expect(found).toBeGreaterThan(500)
    expect(await store.check()).toEqual([])
  })
})
