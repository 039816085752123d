import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  append,
  assistant,
  commit,
  replaceFrom,
  sessionOf,
  summary,
  user,
} from '../search/session-fixture.ts'
import { callTool, type ToolAnswer, toolsOf } from './call-tool.ts'

type Tools = ReturnType<typeof toolsOf>

/** Reads a message to its end, page by page. */
async function readAll(tools: Tools, args: object): Promise<{ text: string; pages: number }> {
  let text = ''
  let pages = 0
  let offset: number | null = 0
  while (offset !== null) {
    const answer = await tools.call('lcm_expand', { ...args, offset })
    expect(answer.length).toBeLessThanOrEqual(20_000)
    const page = JSON.parse(answer)
    expect(page).not.toHaveProperty('error')
    expect(page.offset).toBe(offset)
    expect(page.bytes).toBe(Buffer.byteLength(page.text))
    text += page.text
    offset = page.next
    pages++
  }
  return { text, pages }
}

describe('lcm_expand of a message', () => {
  it('gives a text to read', async () => {
    const message: Message = {
      role: 'assistant',
      content: [{ type: 'text', text: 'Reading.' }],
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      providerData: { vendor: { reasoning: 'x'.repeat(50) } },
    }
    const result: Message = { role: 'tool', tool_call_id: 'c1', content: 'line 1\nline 2' }
    const tools = toolsOf(await sessionOf([message, result]))
    expect((await callTool(tools, 'lcm_expand', { id: 'm0' })).text).toBe(
      'Reading.\nread {"path":"a"}\n[call c1: read]\n[providerData: 77 bytes, see form "json"]',
    )
    expect((await callTool(tools, 'lcm_expand', { id: '[m1]' })).text).toBe('line 1\nline 2\n[result of c1]')
  })

  it('gives every byte of what was stored, whatever it is and however it is cut', async () => {
    const text = fc.array(fc.constantFrom('a', '"', '\\', '😀', 'é', '数', '\n', '\u0001', '\ud800', '\0'), {
      maxLength: 200,
    })
    const content = fc.oneof(
      text.map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 300 }),
    )
    let pages = 0
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 90 }), async (value, limit) => {
        const message = {
          role: 'user',
          content: value,
          extra: { __proto__: null, value },
        } as unknown as Message
        const tools = toolsOf(await sessionOf([message]))
        const read = await readAll(tools, { id: 'm0', form: 'json', limit })
        expect(read.text).toBe(JSON.stringify(message))
        pages += read.pages
      }),
      { numRuns: 200 },
    )
    console.log(`${pages} pages`)
  })

  it.each([
    ['plain', 'x'.repeat(300_000)],
    ['quotation marks', '"'.repeat(100_000)],
    ['control characters', '\u0001'.repeat(50_000)],
    ['wide characters', '😀'.repeat(60_000)],
  ])('reads a long message to its end in answers that fit: %s', async (_, content) => {
    const tools = toolsOf(await sessionOf([user(content)]))
    expect((await readAll(tools, { id: 'm0', limit: 16_000 })).text).toBe(content)
    expect((await readAll(tools, { id: 'm0', form: 'json' })).text).toBe(JSON.stringify(user(content)))
  })

  it('reads a replaced message, and says what became of a forgotten one', async () => {
    const session = await sessionOf([user('one'), user('two')])
    await replaceFrom(session, 1, [user('new two')])
    await session.forget({ first: 0, last: 0, reason: 'asked to', at: 0 })
    const tools = toolsOf(session)
    expect(await callTool(tools, 'lcm_expand', { id: 'm1' })).toMatchObject({ text: 'two', replaced: true })
    for (const form of ['text', 'json'])
      expect(await callTool(tools, 'lcm_expand', { id: 'm0', form })).toMatchObject({
        text: '[deleted on request at 1970-01-01T00:00:00.000Z: asked to]',
        forgotten: { time: '1970-01-01T00:00:00.000Z', reason: 'asked to' },
        next: null,
      })
  })
})

describe('lcm_expand of a summary', () => {
  async function tree() {
    const session = await sessionOf(Array.from({ length: 60 }, (_, index) => user(`note ${index}`)))
    const leaves = [
      summary({ number: 1, first: 0, last: 44, text: 'first part' }),
      summary({ number: 2, first: 45, last: 59, text: 'second part' }),
    ]
    await commit(
      session,
      [...leaves, summary({ number: 3, first: 0, last: 59, depth: 1, children: [1, 2], text: 'all' })],
      [3],
    )
    return session
  }

  it('gives finer summaries, then the messages, page by page', async () => {
    const tools = toolsOf(await tree())
    const root = await callTool(tools, 'lcm_expand', { id: 's3' })
    expect(root).toMatchObject({
      total: 2,
      next: null,
      sources: [{ ref: 's1', covers: 'm0-m44', text: 'first part' }, { ref: 's2' }],
    })
    const texts: string[] = []
    for (let offset: ToolAnswer['next'] = 0; offset !== null; ) {
      const page: ToolAnswer = await callTool(tools, 'lcm_expand', { id: 's1', offset })
      texts.push(...page.sources.map(({ text }) => text))
      offset = page.next
    }
    expect(texts).toEqual(Array.from({ length: 45 }, (_, index) => `note ${index}`))
    expect((await callTool(tools, 'lcm_expand', { id: 's2', offset: 10, limit: 2 })).sources).toHaveLength(2)
  })

  it('cuts long messages and says how to read on', async () => {
    const session = await sessionOf([user('y'.repeat(50_000)), assistant('short')])
    await commit(session, [summary({ number: 1, first: 0, last: 1, text: 'a' })], [1])
    const tools = toolsOf(session)
    const { sources } = await callTool(tools, 'lcm_expand', { id: 's1' })
    expect(sources[0]?.cut).toBe('2000 of 50000 bytes; lcm_expand m0 with offset 2000 reads on')
    expect(sources[1]).toMatchObject({ ref: 'm1', text: 'short' })
  })

  it('reaches every message of a leaf, however long they are', async () => {
    const contents = Array.from(
      { length: 40 },
      (_, index) => `${index} ${'\u0001"'.repeat(400 * (index % 9))}`,
    )
    const session = await sessionOf(contents.map(user))
    await commit(session, [summary({ number: 1, first: 0, last: 39, text: 'a' })], [1])
    const tools = toolsOf(session)
    const seen: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const answer: string = await tools.call('lcm_expand', { id: 's1', limit: 100, offset })
      expect(answer.length).toBeLessThanOrEqual(20_000)
      const page = JSON.parse(answer)
      seen.push(...page.sources.map(({ ref }: { ref: string }) => ref))
      offset = page.next
    }
    expect(seen).toEqual(contents.map((_, index) => `m${index}`))
  })

  it('keeps to the messages that it covers when others around them were replaced', async () => {
    const session = await sessionOf([user('a'), user('dropped')])
    await replaceFrom(session, 1, [user('b'), user('c')])
    await commit(session, [summary({ number: 1, first: 0, last: 3, messages: 3, text: 'abc' })], [1])
    const texts = async () =>
      (await callTool(toolsOf(session), 'lcm_expand', { id: 's1' })).sources.map(({ text }) => text)
    expect(await texts()).toEqual(['a', 'b', 'c'])
    await append(session, [user('d')])
    expect(
      (await callTool(toolsOf(session), 'lcm_expand', { id: 's1', offset: 1, limit: 1 })).sources[0]?.ref,
    ).toBe('m2')
  })

  it('says when and why a summary was deleted', async () => {
    const session = await tree()
    await session.forget({ first: 50, last: 50, reason: 'asked to', at: 0 })
    const tools = toolsOf(session)
    const note = '[deleted on request at 1970-01-01T00:00:00.000Z: asked to]'
    const forgotten = { time: '1970-01-01T00:00:00.000Z', reason: 'asked to' }
    expect(await callTool(tools, 'lcm_expand', { id: 's3' })).toMatchObject({
      note,
      forgotten,
      sources: [{ text: 'first part' }, { text: note }],
    })
    expect((await callTool(tools, 'lcm_expand', { id: 's2', offset: 5, limit: 1 })).sources[0]?.text).toBe(
      note,
    )
    expect(await callTool(tools, 'lcm_describe', { id: 's2' })).toMatchObject({ text: note, forgotten })
  })
})
