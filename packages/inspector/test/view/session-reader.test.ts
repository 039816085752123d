import { describe, expect, it, vi } from 'vitest'
import { deltaOf } from '../../src/page/session-feeds.ts'
import { watchedSession } from './watched-session.ts'

describe('a page that is open', () => {
  it('gets what the stores got without a request: by a tool, or by a model that reads behind the conversation', async () => {
    const summaryNodes = vi.fn(async () => [])
    const decisions = vi.fn(async () => [] as never[])
    const reader = { summaryNodes, decisions }
    const { session, recorder } = watchedSession(10_000, { reader })
    await session.prepare([{ role: 'user', content: 'Hello.' }])
    const before = await recorder.view()
    const told = new Promise<void>((resolve) => recorder.subscribe(resolve))
    await session.callTool('none', {})
    await told
    const found = [{ id: 'd1' }] as never[]
    decisions.mockResolvedValue(found)
    const after = await recorder.view()
    expect(deltaOf(before, after)).toMatchObject({ requests: { items: [] }, facts: { decisions: found } })
    expect(deltaOf(after, await recorder.view())).toBeUndefined()
  })

  it('waits for the answer of a store before it asks the next question, and tells everybody the newest', async () => {
    let open = 0
    let asked = 0
    const decisions = async () => {
      expect(++open).toBe(1)
      const id = ++asked
      // The first answer comes last, if nobody waits for it.
      await new Promise((resolve) => setTimeout(resolve, 20 / id))
      open--
      return [{ id }] as never[]
    }
    const reader = { summaryNodes: async () => [], decisions }
    const { session, recorder } = watchedSession(10_000, { reader })
    await session.prepare([{ role: 'user', content: 'Hello.' }])
    const views = await Promise.all([recorder.view(), recorder.view(), recorder.view()])
    expect(views.map(({ decisions: found }) => found)).toEqual([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]])
    expect(views.map(({ warnings }) => warnings)).toEqual([[], [], []])
  })

  it('is told once that a store cannot be read, and goes on with what it had', async () => {
    const reader = { summaryNodes: vi.fn(async () => []), decisions: vi.fn(async () => [] as never[]) }
    const { session, recorder } = watchedSession(10_000, { reader })
    await session.prepare([{ role: 'user', content: 'Hello.' }])
    const before = await recorder.view()
    reader.summaryNodes.mockRejectedValue(new Error('the disk is gone'))
    for (let time = 0; time < 2; time++) await recorder.view()
    const after = await recorder.view()
    expect(deltaOf(before, after)?.warnings.items).toMatchObject([{ code: 'view-incomplete' }])
    expect(after.decisions).toEqual([])
  })
})
