import { type Message, roughTokenCounter as tokens } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { createInspector, createStoredView, type ViewSummary } from '../../src/index.ts'
import { watchedSession } from './watched-session.ts'

const summary: ViewSummary = {
  ...{ id: 'old', title: 'old', source: 'gateway', engine: 'lcm', model: null, isLive: false, startedAt: 1 },
  ...{ requests: 0, messages: 2, compactions: 0, tokens: 0, window: 1_000, isStored: true },
}
const said: readonly Message[] = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
]
const reader = { summaryNodes: async () => [], decisions: async () => null }

it('lists stored sessions behind those that are watched, reads one when it is opened, and lets a watched one take its place', async () => {
  const inspector = createInspector({ tokens })
  const get = async (path: string) => inspector.fetch(new Request(`http://localhost/api/sessions${path}`))
  // biome-ignore lint/suspicious/noExplicitAny: what comes is what the test is about.
  const json = async (path: string): Promise<any> => (await get(path)).json()
  let reads = 0
  inspector.remember({
    list: async () => [summary, { ...summary, id: 'gone' }],
    async view({ id }) {
      reads += 1
      if (id === 'gone') return undefined
      const messages = said.map((message, at) => ({ message, at }))
      return createStoredView({ summary, messages, reader, tokens, threshold: 750 })
    },
  })
  expect((await json('')).sessions.map(({ id }: ViewSummary) => id)).toEqual(['old', 'gone'])
  expect(reads).toBe(0)
  const { view } = await json('/old')
  expect(view.messages).toMatchObject([
    { text: 'hello', seq: 0, kind: 'message', at: 0 },
    { text: 'hi', seq: 1, at: 1 },
  ])
  expect([view.requests, view.threshold]).toEqual([[], 750])
  expect((await get('/gone')).status).toBe(500)
  expect((await get('/nothing')).status).toBe(404)

  const { session } = watchedSession(10_000)
  const watched = inspector.watch({ ...session, id: 'old', transcript: [] }, { title: 'new' })
  expect(watched.id).toBe('old')
  expect((await json('')).sessions).toMatchObject([{ id: 'old', title: 'new' }, { id: 'gone' }])
  expect((await json('/old')).view.title).toBe('new')
})
