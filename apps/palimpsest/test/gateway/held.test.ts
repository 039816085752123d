import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { startMockUpstream } from './mock-upstream.ts'
import { startTestGateway } from './test-gateway.ts'

/** Runs the garbage collector until everything that only weak references hold is gone. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
}

it('holds the sessions of conversations in memory and no others, though the page shows those that ended', async () => {
  const LOADED = 4
  const opened: { readonly session: WeakRef<object>; readonly engine: WeakRef<object> }[] = []
  const upstream = await startMockUpstream({ answer: () => ({ content: 'Yes.' }) })
  const { client, gateway, inspector } = await startTestGateway({
    baseUrl: upstream.baseUrl,
    limits: { conversations: LOADED },
    wrapEngine: ({ open, reader, profile }) => ({
      reader,
      profile,
      async open(...input) {
        const session = await open(...input)
        opened.push({ session: new WeakRef(session), engine: new WeakRef(session.engine) })
        return session
      },
    }),
  })
  const openai = client()
  for (let index = 0; index < 40; index++) {
    const messages = [{ role: 'user' as const, content: `Question ${index}: what do you think of it?` }]
    for (let turn = 0; turn < 3; turn++) {
      const headers = { 'x-palimpsest-session': `task-${index}` }
      await openai.chat.completions.create({ model: 'mock-large', messages }, { headers })
    }
  }
  await collectGarbage()

  expect(opened).toHaveLength(40)
  expect(gateway.loaded).toBe(LOADED)
  expect(opened.filter(({ session }) => session.deref() !== undefined).length).toBeLessThanOrEqual(LOADED + 1)
  expect(opened.filter(({ engine }) => engine.deref() !== undefined).length).toBeLessThanOrEqual(LOADED + 1)
  expect(inspector.list()).toHaveLength(40)
  const ended = await inspector.view(inspector.list().at(-1)?.id ?? '')
  expect(ended).toMatchObject({ isLive: false, window: 128_000, threshold: expect.any(Number) })
  expect(ended?.threshold).toBeGreaterThan(0)
})
