import { expect, it } from 'vitest'
import { AT, assertions, PROJECT, texts } from '../../../decisions/src/store-tests/talk.ts'
import { createPostgresDecisionStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

const WRITERS = 4
const BATCHES = 40

describeWithPostgres('who follows the log of decisions while others write to it', (server) => {
  it('misses no event: none comes to be in front of one that was read', async () => {
    const schema = server.schema()
    const store = createPostgresDecisionStore({ url: server.url, schema, poolSize: WRITERS + 1 })
    try {
      let writing = true
      const write = async (writer: number) => {
        const session = await store.session({ key: `writer ${writer}` }, AT)
        for (let batch = 0; batch < BATCHES; batch++)
          await session.commit(
            { events: assertions(session.key, batch * 2, ...texts(2, `${writer} ${batch}`)) },
            AT,
          )
      }
      const followed: number[] = []
      const follow = async () => {
        let last = false
        while (!last) {
          last = !writing
          const after = followed.at(-1) ?? 0
          for (const { seq } of await store.events({ scopes: [PROJECT], after })) followed.push(seq)
        }
      }
      const following = follow()
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
      writing = false
      await following
      const log = await store.events({ scopes: [PROJECT] })
      expect(log).toHaveLength(WRITERS * BATCHES * 2)
      expect(followed).toEqual(log.map(({ seq }) => seq))
    } finally {
      await store.close()
    }
  })
})
