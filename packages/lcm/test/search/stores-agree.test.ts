import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roughTokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/create-memory-store.ts'
import { encodeMessage } from '../../src/messages/encode-message.ts'
import { searchMessages } from '../../src/search/search-messages.ts'
import type { MessageSearchQuery } from '../../src/search/search-types.ts'
import { createSqliteStore } from '../../src/sqlite.ts'
import { clock, START, user } from './session-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'lcm-search-'))
const sqlite = createSqliteStore({ path: join(folder, 'store.db') })
afterAll(async () => {
  await sqlite.close()
  rmSync(folder, { recursive: true })
})

const pieces = fc.constantFrom(
  ...[
    'kiss',
    'KISS',
    'Kiß',
    'ſtop',
    'stop',
    'İstanbul',
    'istanbul',
    'ΣΊΣΥΦΟΣ',
    'σίσυφος',
    'straße',
    'STRASSE',
    'STRAẞE',
  ],
  ...[
    'Ünï',
    'u\u0308',
    'привет',
    'ПРИВЕТ',
    '数据库',
    '数据',
    '데이터',
    'データ',
    '😀',
    'x_1',
    'a.b',
    '"',
    "'",
    '%',
    '*',
    '\ud800',
    '\0',
  ],
)
const separators = fc.constantFrom(' ', '', '\n', '-', ', ')
const texts = fc.array(fc.tuple(pieces, separators), { maxLength: 5 }).map((list) => list.flat().join(''))
const queries = fc.oneof(
  fc.array(pieces, { minLength: 1, maxLength: 2 }).map((list) => ({ query: list.join(' ') })),
  fc
    .array(pieces, { minLength: 1, maxLength: 4 })
    .map((list) => ({ query: list.join(' '), order: 'relevance' as const })),
  pieces.map((piece) => ({ query: `${piece.slice(0, 3)}*` })),
  fc.tuple(pieces, pieces).map(([a, b]) => ({ query: `the (${a}-${b}),` })),
  texts.map((query) => ({ query: `x${query}`.slice(1) || 'x', mode: 'substring' as const })),
  fc
    .tuple(pieces, pieces)
    .map(([a, b]) => ({ query: `${escaped(a)}.?${escaped(b)}?`, mode: 'regex' as const })),
)

function escaped(text: string): string {
  return text.replace(/[*."]/g, '\\$&')
}

describe('a search', () => {
  it('finds the same in every store: what an index finds is what reading every message finds', async () => {
    let session = 0
    let hits = 0
    const find = async (
      store: typeof sqlite,
      key: string,
      list: readonly string[],
      query: MessageSearchQuery,
    ) => {
      const opened = await store.session({ key }, START)
      const messages = list.map((text) => encodeMessage(user(text), roughTokenCounter.countText(text)))
      const { nextSeq } = await opened.head()
      if (nextSeq === 0) await opened.append({ nextSeq: 0, messages, at: START })
      // A busy machine takes its time with a pattern, too.
      return searchMessages(opened, { ...query, limit: 50 }, { clock, messageTimeLimit: 60_000 })
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 8, maxLength: 12 }),
        fc.array(queries, { minLength: 3, maxLength: 6 }),
        async (list, asked) => {
          session++
          const memory = createMemoryStore()
          for (const query of asked) {
            if (query.query.trim() === '') continue
            const read = await find(memory, 'a', list, query)
            expect(await find(sqlite, `s${session}`, list, query)).toEqual(read)
            hits += read.hits.length
          }
        },
      ),
      { numRuns: 300 },
    )
    console.log(`${hits} hits in ${session} sessions`)
    expect(hits).toBeGreaterThan(500)
  })
})
