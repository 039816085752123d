import type { Message } from '@palimpsest/core'
import type { LcmStore, StoredMessage } from '@palimpsest/lcm'
import { describe, expect, it } from 'vitest'
import { standingAt, talk, watchedSession } from './watched-session.ts'

const TOPICS = ['the parser', 'the cache', 'the printer', 'the tests', 'the release']
const topic = (turn: number) =>
  `What about ${TOPICS[turn % TOPICS.length]}, part ${turn}? ${'Tell me. '.repeat(20)}`

describe('the summaries of a session', () => {
  it('lead down to the messages of the store, byte for byte, after edits and new system prompts too', async () => {
    const { session, recorder, options, close } = await watchedSession('lcm', 4_000)
    const store = options.store as LcmStore
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
      frontier?.nodes
        .map(({ number }) => number)
        .toSorted((a, b) => a - b)
        .map((number) => `s${number}`),
    )
    const nodes = (await stored?.summaries(view.summaryNodes.map(({ id }) => Number(id.slice(1))))) ?? []
    let covered = 0
    for (const [index, node] of view.summaryNodes.entries()) {
      const { first = 0, last = 0, text } = nodes[index] ?? {}
      expect(node.text).toBe(text)
      if (node.isReplaced) continue
      const messages: StoredMessage[] = (await stored?.messages({ first, last, limit: 1_000 })) ?? []
      const said = messages.map(({ json }) => json)
      expect(said).toEqual(
        session.transcript.slice(node.first, node.last + 1).map((each) => JSON.stringify(each)),
      )
      const shown = said.map((_, offset) => standingAt(view.messages, node.first + offset))
      expect(shown.map((message) => message?.text)).toEqual(
        said.map((json) => (JSON.parse(json) as { content: string | null }).content ?? ''),
      )
      expect(node.sourceTokens).toBe(shown.reduce((sum, message) => sum + (message?.tokens ?? 0), 0))
      covered += said.length
    }
    const ids = new Set(view.summaryNodes.map(({ id }) => id))
    expect(view.summaryNodes.flatMap(({ children }) => children).every((id) => ids.has(id))).toBe(true)
    expect(view.summaryNodes.some(({ isReplaced }) => isReplaced)).toBe(true)
    expect(view.summaryNodes.some(({ children }) => children.length > 0)).toBe(true)
    console.log(`${view.summaryNodes.length} summaries, ${covered} messages below them`)
    expect(covered).toBeGreaterThan(list.length / 2)
    await session.end()
    await close()
  })

  it('of an engine without a store are a chain: each was made from the one before and what came since', async () => {
    const { session, recorder, close } = await watchedSession('compressor', 6_000)
    const list = talk(40, topic)
    for (let end = 2; end <= list.length; end += 4) await session.prepare(list.slice(0, end))
    const view = await recorder.view()
    const chain = view.summaryNodes
    expect(chain.length).toBeGreaterThan(2)
    expect(chain.map(({ depth }) => depth)).toEqual(chain.map((_, index) => index))
    expect(chain.map(({ children }) => children)).toEqual(
      chain
        .map((_, index) => chain.slice(index - 1, index).map(({ id }) => id))
        .map((ids, index) => (index === 0 ? [] : ids)),
    )
    expect(chain.map(({ isShown }) => isShown)).toEqual(chain.map((_, index) => index === chain.length - 1))
    const last = chain.at(-1)
    // What it covers is what the last request does not show.
    const seqs = view.requests.length > 0 ? shownPlaces(view) : []
    const hidden = list
      .map((_, place) => place)
      // The system prompt is shown with a note.
      .filter((place) => place > 0 && !seqs.includes(place) && place < list.length - 3)
    expect(hidden.filter((place) => place < (last?.first ?? 0) || place > (last?.last ?? 0))).toEqual([])
    expect(hidden.length).toBeGreaterThan(list.length / 2)

    // The host goes back behind the summary: it stands for nothing any more.
    await session.prepare([...list.slice(0, 9), { role: 'user', content: 'Once more.' }])
    expect((await recorder.view()).summaryNodes.filter(({ isShown }) => isShown)).toEqual([])
    await session.end()
    await close()
  })
})

function shownPlaces({
  messages,
  requests,
}: {
  readonly messages: readonly { readonly seq: number | null }[]
  readonly requests: readonly { readonly kept: number; readonly added: readonly number[] }[]
}): (number | null)[] {
  let shown: readonly number[] = []
  for (const { kept, added } of requests) shown = [...shown.slice(0, kept), ...added]
  return shown.map((row) => messages[row]?.seq ?? null)
}
