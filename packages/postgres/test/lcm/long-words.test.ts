import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { user } from '../support/append-anyway.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('texts that are too much for an index of PostgreSQL', (server) => {
  it('are stored and found: words of many kilobytes, and more words than fit into one entry', async () => {
    const long = 'z'.repeat(5_000)
    const wide = '漢'.repeat(3_000)
    // A megabyte and a half of words, no two alike.
    const many = Array.from({ length: 24_000 }, (_, index) =>
      createHash('sha256').update(String(index)).digest('hex'),
    )
    const texts = [`before ${long}end after`, `before ${wide}末`, many.join(' '), 'a short one']
    const store = createPostgresStore({ url: server.url, schema: server.schema() })
    try {
      const session = await store.session({ key: 'a' }, 1)
      await session.append({ nextSeq: 0, messages: texts.map(user), at: 1 })
      const found = async (kind: 'word' | 'prefix' | 'substring', text: string) => {
        const rows = await session.candidates({ where: [[{ kind, text }]], order: 'oldest', limit: 9 })
        return rows.map(({ seq }) => seq)
      }
      // What has too many words is looked at whatever word is asked for.
      expect(await found('word', `${long}end`)).toEqual([0, 2])
      expect(await found('prefix', long)).toEqual([0, 2])
      expect(await found('word', `${wide}末`)).toEqual([1, 2])
      expect(await found('word', many[23_999] ?? '')).toEqual([2])
      expect(await found('word', 'short')).toEqual([2, 3])
      expect(await found('substring', `${many[5]} ${many[6]}`)).toEqual([2])
      expect(await found('substring', 'zend')).toEqual([0])
      expect(await found('substring', '漢末')).toEqual([1])
      expect(await store.check()).toEqual([])
    } finally {
      await store.close()
    }
  })
})
