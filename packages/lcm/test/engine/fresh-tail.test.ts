import { checkProjection, isSummary, type Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { uncovered } from './coverage.ts'
import {
  assistant,
  calls,
  createChat,
  memoryStore,
  openSession,
  result,
  SUMMARY,
  scripted,
  system,
  turns,
  user,
  words,
} from './harness.ts'

/** Where the messages behind the summary begin. */
const tailOf = (messages: readonly Message[]) => messages.slice(messages.findIndex(isSummary) + 1)

describe('the fresh tail', () => {
  it('is whole transactions: no compaction returns a result without its call (hermes-lcm: 48 % did)', async () => {
    let compactions = 0
    for (const parallel of [1, 2, 5]) {
      const chat = createChat({ window: 6_000, model: scripted(SUMMARY), leaf_chunk_tokens: 800 })
      let list: Message[] = [system()]
      for (let turn = 0; turn < 60; turn++) {
        const ids = Array.from({ length: parallel }, (_, index) => `c${turn}_${index}`)
        list.push(
          user(`step ${turn}`),
          calls(...ids),
          ...ids.map((id) => result(id, words(40 + (turn % 7) * 20, id))),
        )
        const { messages, compactions: made, warnings } = await chat.prepare(list)
        expect(warnings).toEqual([])
        compactions += made.filter(({ outcome }) => outcome === 'compacted').length
        expect(checkProjection(messages, chat.transcript)).toEqual([])
        list = [...messages, assistant(`step ${turn} is done`)]
      }
    }
    console.log(`fresh tail: ${compactions} compactions`)
    expect(compactions).toBeGreaterThan(20)
  })

  it('holds the last turn of the user when it fits', async () => {
    const chat = createChat({ window: 8_000, fresh_tail_tokens: 100 })
    const last = [
      user('the last question'),
      calls('x'),
      result('x', words(400)),
      calls('y'),
      result('y', words(400)),
    ]
    await chat.prepare([system(), ...turns(14), ...last])
    const { messages } = await chat.compact()
    expect(tailOf(messages).slice(-last.length)).toEqual(last)
  })

  it('shows the last message of the user verbatim in the middle of one turn of hundreds of calls', async () => {
    const store = memoryStore()
    const chat = createChat({ store, window: 6_000, leaf_chunk_tokens: 800 })
    const ask = user('rename every file, and stop when one is called end')
    let list: Message[] = [system(), ...turns(2), ask]
    let compactions = 0
    for (let step = 0; step < 300; step++) {
      const prepared = await chat.prepare([
        ...list,
        calls(`s${step}`),
        result(`s${step}`, words(60, `r${step}w`)),
      ])
      compactions += prepared.compactions.length
      list = prepared.messages
      expect(list.filter(({ content }) => content === ask.content)).toHaveLength(1)
      expect(prepared.tokens).toBeLessThan(6_000)
    }
    expect(compactions).toBeGreaterThan(5)
    expect(await uncovered(await openSession(store), list)).toBeUndefined()
  })

  it('keeps the newest transaction even when it alone is larger than the window, and shows it in part', async () => {
    const chat = createChat({ window: 3_000 })
    const huge = [calls('a', 'b'), result('a', words(8_000)), result('b', words(8_000))]
    const { messages, tokens } = await chat.prepare([system(), ...turns(4), user('read both'), ...huge])
    expect(messages.slice(-3).map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool'])
    expect(messages).toContainEqual(user('read both'))
    expect(tokens).toBeLessThan(3_000)
  })
})
