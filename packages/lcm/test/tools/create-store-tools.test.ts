import { expect, it } from 'vitest'
import { createLcmStoreTools } from '../../src/index.ts'
import { TOOL_NAMES } from '../../src/tools/create-lcm-tools.ts'
import { memoryStore } from '../memory-store.ts'

const sessions = Array.from({ length: 120 }, (_, index) => ({ key: `s${index}` }))
const tools = createLcmStoreTools({
  store: memoryStore(),
  sessions: async () => ({ sessions }),
})
const call = async (name: string, args: unknown) => JSON.parse(await tools.call(name, args))

it('takes the numbers of the list of sessions as a model writes them', async () => {
  expect((await call('lcm_describe', null)).next).toBe(50)
  for (const offset of [100, '100'])
    expect(await call('lcm_describe', { offset })).toMatchObject({ next: null, sessions: { length: 20 } })
  expect((await call('lcm_describe', { offset: -1 })).error).toContain('"offset"')
})

it.each([null, {}, { query: 5 }])('never says that it found nothing about %j', async (args) => {
  expect((await call('lcm_grep', args)).error).toContain('"query" is wrong')
})

it('offers every tool of a session, and asks for the session where an id needs one', async () => {
  expect(tools.schemas.map(({ function: { name } }) => name)).toEqual(TOOL_NAMES)
  expect((await call('lcm_expand', { id: 'm3' })).error).toContain('name the "session" of the hit')
})
