import { defineContextEngine, type EngineStatus, type Message, roughTokenCounter } from '@palimpsest/core'
import { createCachePlanner, findPricing } from '@palimpsest/prompt-caching'
import { describe, expect, it, vi } from 'vitest'
import { deltaOf } from '../../src/page/session-feeds.ts'
import { shownRequests, talk, watchedSession } from './watched-session.ts'

const prices = findPricing({ model: 'claude-sonnet-5-5' })
const hello: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hello,\nwho are you?' },
]

describe('a view recorder', () => {
  it('tells who the session is and what came back', async () => {
    const planner = createCachePlanner({ pricing: prices, tokens: roughTokenCounter })
    const { session, recorder } = watchedSession(10_000, { prices, cache: planner })
    await session.prepare(hello)
    const planned = (await recorder.view()).requests[0]?.cache
    expect(planned).toMatchObject({ usd: expect.any(Number) })
    const usage = {
      ...{ prompt_tokens: 1_000_000, completion_tokens: 5, total_tokens: 1_000_005 },
      prompt_tokens_details: { cached_tokens: 600_000, cache_write_tokens: 100_000 },
    }
    await session.observe({ message: { role: 'assistant', content: 'Me.' }, usage })
    const view = await recorder.view()
    expect(recorder.summary()).toMatchObject({ title: 'Hello,', requests: 1, messages: 3, isLive: true })
    const [request] = view.requests
    expect(view.messages.at(-1)).toMatchObject({ text: 'Me.', role: 'assistant', seq: 2 })
    const { input, read, short } = prices
    const usd = input * (0.6 * read + 0.1 * short.write + 0.3)
    expect(request?.cache).toEqual({
      ...{ read: 600_000, written: 100_000, uncached: 300_000 },
      usd: expect.closeTo(usd, 6),
    })
    expect(view.bill).toMatchObject({ model: prices.model, asOf: prices.asOf, without: view.bill?.with })
    // The same answer comes back as a part of the history: it is one message.
    await session.prepare([
      ...hello,
      { role: 'assistant', content: 'Me.', id: 'a1' },
      { role: 'user', content: 'Ah.' },
    ])
    expect((await recorder.view()).messages.map(({ text }) => text)).toEqual([
      ...hello.map(({ content }) => content),
      ...['Me.', 'Ah.'],
    ])
    await session.end()
    expect(recorder.summary().isLive).toBe(false)
  })

  it('knows nothing of cache and money when nobody tells', async () => {
    const { session, recorder } = watchedSession(10_000)
    await session.prepare(hello)
    await session.observe({ usage: { prompt_tokens: 20, completion_tokens: 1, total_tokens: 21 } })
    const view = await recorder.view()
    expect([view.requests[0]?.cache, view.bill, view.decisions]).toEqual([null, null, null])
  })

  it('says whether a model reads decisions', async () => {
    const engineWith = (details: Record<string, unknown>) =>
      defineContextEngine({
        ...{ name: 'reader', apiVersion: 1, description: 'A double.' },
        create: () => ({
          ...{ updateFromResponse() {}, shouldCompress: () => false },
          compress: () => Promise.reject(new Error('nothing is compacted here')),
          status: () => ({ details }) as EngineStatus,
        }),
      })
    const hasReader = async (details: Record<string, unknown>) =>
      (await watchedSession(10_000, { engine: engineWith(details) }).recorder.view()).hasReader
    expect(await hasReader({})).toBeUndefined()
    expect(await hasReader({ extraction: 'needs a model', refused: {} })).toBe(false)
    expect(await hasReader({ extraction: { isBusy: false }, refused: {} })).toBe(true)
  })

  it('tells those who listen of changes, and sends the last request again when it changed', async () => {
    const { session, recorder } = watchedSession(10_000)
    const listener = vi.fn()
    const stop = recorder.subscribe(listener)
    await session.prepare(hello)
    const before = await recorder.view()
    expect(deltaOf(before, await recorder.view())).toBeUndefined()
    expect(listener).toHaveBeenCalled()
    await session.observe({ message: { role: 'assistant', content: 'Me.' } })
    expect(deltaOf(before, await recorder.view())).toMatchObject({
      requests: { from: 1, items: [] },
      messages: { from: 2, items: [{ text: 'Me.' }] },
      facts: {},
    })
    const calls = listener.mock.calls.length
    stop()
    await session.observe({ message: { role: 'assistant', content: 'Hm.' } })
    expect(listener).toHaveBeenCalledTimes(calls)
  })

  it('tells what a host inserted from what the user said, also in its title', async () => {
    const { session, recorder } = watchedSession(10_000)
    const inserted = '<environment_context>a folder</environment_context>'
    const recorded = { transcript: { recordedRole: 'system' } }
    await session.prepare([
      { role: 'user', content: inserted },
      { role: 'user', content: `${inserted} Hello?` },
      { role: 'user', content: 'Be brief.', providerData: recorded },
    ])
    const { title, messages } = await recorder.view()
    expect(messages.map(({ isInserted = false }) => isInserted)).toEqual([true, false, true])
    expect(title).toContain('Hello?')
  })

  it('gives no time to what was said before it was there', async () => {
    const { session, recorder } = watchedSession(10_000)
    const answer = { role: 'assistant', content: 'Me.' } as const
    await session.prepare([...hello, answer, { role: 'user', content: 'Ah.' }])
    await session.observe({ message: { role: 'assistant', content: 'Yes.' } })
    const { messages } = await recorder.view()
    expect(messages.map(({ text, at }) => [text, at !== undefined])).toEqual([
      ...[...hello, answer].map(({ content }) => [content, false]),
      ['Ah.', true],
      ['Yes.', true],
    ])
  })

  it.each([
    [true, 'test:model'],
    [false, 'extractive'],
  ])('names the writer of a summary: a model that writes is %s', async (works, writer) => {
    const complete = async () => {
      if (works) return { text: '## Goal\nTo talk about turns.', finishReason: 'stop' as const }
      throw new Error('no answer')
    }
    const model = { name: 'test:model', complete }
    const { session, recorder } = watchedSession(4_000, { summaries: model.name, summarizer: model })
    await session.prepare(talk(40, (turn) => `turn ${turn}`))
    const { summaryNodes } = await recorder.view()
    expect(summaryNodes.map((node) => node.writer)).toEqual([writer])
  })

  it('never costs the session anything when it fails, and says so once', async () => {
    let isBroken = false
    const tokens = {
      ...roughTokenCounter,
      countMessage(message: Message) {
        if (isBroken) throw new Error('the counter is gone')
        return roughTokenCounter.countMessage(message)
      },
    }
    const { session, recorder } = watchedSession(10_000, { tokens })
    await session.prepare(hello)
    isBroken = true
    const list: Message[] = [
      ...hello,
      { role: 'assistant', content: 'Me.' },
      { role: 'user', content: 'Ah.' },
    ]
    expect((await session.prepare(list)).messages).toHaveLength(4)
    await session.observe({ message: { role: 'assistant', content: 'Oh.' } })
    isBroken = false
    await session.prepare(list)
    const view = await recorder.view()
    expect(view.warnings).toEqual([
      { request: 1, code: 'view-incomplete', message: expect.stringContaining('the counter is gone') },
    ])
    const shown = shownRequests(view.requests)
      .at(-1)
      ?.map((row) => view.messages[row]?.text)
    expect(shown).toEqual(list.map(({ content }) => content))
  })

  it('records the smaller request after an overflow, with the compaction that made it', async () => {
    const { session, recorder } = watchedSession(100_000)
    const list = talk(40, (turn) => `Question ${turn}, ${'about this '.repeat(40)}`)
    await session.prepare(list)
    const overflow = Object.assign(new Error('maximum context length is 8000 tokens'), {
      status: 400,
      code: 'context_length_exceeded',
    })
    await session.recover(overflow)
    const view = await recorder.view()
    expect(view.requests).toHaveLength(2)
    expect(view.compactions).toEqual([
      expect.objectContaining({ request: 1, trigger: 'overflow', outcome: 'compacted' }),
    ])
    const [first, second] = view.requests.map(({ tokens }) =>
      Object.values(tokens).reduce((a, b) => a + b, 0),
    )
    expect(second).toBeLessThan(first ?? 0)
    expect(view.requests[1]?.tokens.summaries).toBeGreaterThan(0)
    expect(view.window).toBe(session.engine.contextLength)
  })
})
