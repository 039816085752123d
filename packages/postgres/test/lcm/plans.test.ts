import { type CandidateQuery, encodeMessage } from '@palimpsest/lcm'
import { packName } from '@palimpsest/lcm/store-kit'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { matchMessages } from '../../src/lcm/match-conditions.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { wrapClient } from '../support/wrap-client.ts'

const SESSIONS = 4
const MESSAGES = 3_000

/** A message of everyday words; some have a rare one in them. */
function textOf(session: number, seq: number): string {
  const filler = Array.from({ length: 60 }, (_, index) => `word${(seq * 31 + index * 7) % 900}`).join(' ')
  const rare = seq % 500 === 7 ? ' xylophone 数据库迁移 src/deep/needle.ts:17' : ''
  return `common talk of session ${session} 漢字 ${filler}${rare}`
}

describeWithPostgres('a search in PostgreSQL', (server) => {
  it('asks the index of words, of trigrams or of grams for what is rare, and reads the newest rows for what is common', async () => {
    const schema = server.schema()
    const asked: string[] = []
    const pool = new Pool({ connectionString: server.url, Client: wrapClient((text) => asked.push(text)) })
    const store = createPostgresStore({ pool, schema })
    try {
      for (let number = 0; number < SESSIONS; number++) {
        const session = await store.session({ key: String(number) }, 1)
        const messages = Array.from({ length: MESSAGES }, (_, seq) =>
          encodeMessage({ role: 'user', content: textOf(number, seq) }, 1),
        )
        await session.append({ nextSeq: 0, messages, at: 1 })
      }
      await server.pool.query(`ANALYZE ${schema}.lcm_message`)

      const explain = async (text: string, values: readonly unknown[]) => {
        const client = await server.pool.connect()
        try {
          await client.query(`BEGIN; SET LOCAL search_path = ${schema}`)
          const { rows } = await client.query({ text: `EXPLAIN ${text}`, values: [...values] })
          return rows.map((row) => row['QUERY PLAN']).join('\n')
        } finally {
          await client.query('ROLLBACK')
          client.release()
        }
      }
      const planOf = async (where: CandidateQuery['where']) => {
        const { text, values } = matchMessages(where, 0)
        const from = 'SELECT seq FROM lcm_message WHERE session = 1 AND seq BETWEEN 0 AND 2700'
        return explain(`${from}${text} ORDER BY seq + 0`, values)
      }
      expect(await planOf([[{ kind: 'word', text: 'Xylophone' }]])).toContain('on lcm_message_words')
      expect(await planOf([[{ kind: 'prefix', text: 'xylo' }]])).toContain('on lcm_message_words')
      expect(await planOf([[{ kind: 'substring', text: 'deep/needle' }]])).toContain(
        'on lcm_message_trigrams',
      )
      expect(await planOf([[{ kind: 'substring', text: '据库' }]])).toContain('on lcm_message_grams')

      const session = await store.session({ key: '1' }, 1)
      const seqs = async (query: Omit<CandidateQuery, 'order' | 'limit'>) =>
        (await session.candidates({ ...query, order: 'newest', limit: 3 })).map(({ seq }) => seq)
      const expected = [2507, 2007, 1507]
      expect(await seqs({ where: [[{ kind: 'word', text: 'XYLOPHONE' }]] })).toEqual(expected)
      expect(await seqs({ where: [[{ kind: 'substring', text: 'NEEDLE.ts:1' }]] })).toEqual(expected)
      expect(await seqs({ where: [[{ kind: 'substring', text: '库迁' }]] })).toEqual(expected)
      asked.length = 0
      expect(await seqs({ where: [[{ kind: 'word', text: 'common' }]] })).toEqual([2999, 2998, 2997])
      // What was asked of messages: one step of 256 rows, and three of them are wanted.
      expect(asked.filter((text) => text.includes('FROM lcm_message'))).toHaveLength(1)

      const where: CandidateQuery['where'] = [[{ kind: 'word', text: 'xylophone' }]]
      asked.length = 0
      await store.list({ principal: 'local', matching: { where, among: 'messages' }, limit: 5 })
      const [list = ''] = asked.filter((text) => text.includes('WITH matching'))
      const values = [5, packName('local'), ...matchMessages(where, 2).values]
      expect(await explain(list, values)).toContain('on lcm_message_words')
    } finally {
      await store.close()
      await pool.end()
    }
  })
})
