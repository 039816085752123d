import { roughTokenCounter as tokens } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { createLcmStoreTools } from '../../src/index.ts'
import { memoryStore } from '../memory-store.ts'

const sessions = Array.from({ length: 120 }, (_, index) => ({ key: `s${index}` }))
const tools = createLcmStoreTools({
  store: memoryStore(),
  tokens,
  sessions: async () => ({ sessions }),
})
const call = async (name: string, args: unknown) => JSON.parse(await tools.call(name, args))

it('takes the numbers of the list of sessions as a model writes them', async () => {
  expect((await call('lcm_describe', null)).next).toBe(50)
  for (const offset of [100, '100'])
    expect(await call('lcm_describe', { offset })).toMatchObject({ next: null, sessions: { length: 20 } })
  expect((await call('lcm_describe', { offset: -1 })).error).toContain('"offset"')
})

it.each([null, {}, { question: 5 }])('never says that it found nothing about %j', async (args) => {
  expect((await call('lcm_expand_query', args)).error).toContain('"question" is wrong')
})
