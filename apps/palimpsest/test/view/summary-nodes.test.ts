import { type Message, messageText, type StoredMessage } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { standingAt, talk, watchedSession } from './watched-session.ts'

const TOPICS = ['the parser', 'the cache', 'the printer', 'the tests', 'the release']
const topic = (turn: number) =>
  `What about ${TOPICS[turn % TOPICS.length]}, part ${turn}? ${'Tell me. '.repeat(20)}`

describe('the summaries of a session', () => {
  it('lead down to the messages of the store, after edits and new system prompts too', async () => {
    const { session, recorder, store, close } = await watchedSession('lcm', 4_000)
    let list = talk(60, topic)
    const prepareAll = async (messages: readonly Message[], from: number) => {
      for (let end = from; end <= messages.length; end += 4) await session.prepare(messages.slice(0, end))
      await session.prepare(messages)
    }
    await prepareAll(list, 2)
    // The host takes back the last turns, says something else, and goes on under another prompt.
    list = [...list.slice(0, 170), { role: 'user', content: 'Let us do it another way.' }]
    await session.prepare(list)
    list = [{ role: 'system', content: 'Be very brief.' }, ...list.slice(1)]
    list = [
      ...list,
      { role: 'assistant', content: 'As you like.' },
      ...talk(60, (turn) => topic(turn + 50)).slice(1),
    ]
    await prepareAll(list, 176)

    const view = await recorder.view()
    const stored = await store.find({ key: 's' })
    const frontier = await stored?.frontier()
    expect(view.summaryNodes.filter(({ isShown }) => isShown).map(({ id }) => id)).toEqual(
      frontier?.summaries.toSorted((a, b) => a - b).map((number) => `s${number}`),
    )
    const nodes = (await stored?.summaries(view.summaryNodes.map(({ id }) => Number(id.slice(1))))) ?? []
    let covered = 0
    for (const [index, node] of view.summaryNodes.entries()) {
      const { first = 0, last = 0, text } = nodes[index] ?? {}
      expect(node.text).toBe(text)
      if (node.isReplaced) continue
      const messages: StoredMessage[] = (await stored?.messages({ first, last, limit: 1_000 })) ?? []
      const said = messages.map(({ message }) => message)
      expect(said).toEqual(session.transcript.slice(node.first, node.last + 1))
      const shown = said.map((_, offset) => standingAt(view.messages, node.first + offset))
      expect(shown.map((message) => message?.text)).toEqual(
        said.map((message) => (message === null ? '' : messageText(message))),
      )
      expect(node.sourceTokens).toBe(shown.reduce((sum, message) => sum + (message?.tokens ?? 0), 0))
      covered += said.length
    }
    const ids = new Set(view.summaryNodes.map(({ id }) => id))
    expect(view.summaryNodes.flatMap(({ children }) => children).every((id) => ids.has(id))).toBe(true)
    expect(view.summaryNodes.some(({ isReplaced }) => isReplaced)).toBe(true)
    expect(view.summaryNodes.some(({ children }) => children.length > 0)).toBe(true)

    expect(covered).toBeGreaterThan(list.length / 2)
    await session.end()
    await close()
  })
})
