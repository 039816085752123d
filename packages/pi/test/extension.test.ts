import { readFileSync } from 'node:fs'
import type { CompactionEntry, ExtensionFactory } from '@earendil-works/pi-coding-agent'
import { checkSequence, isSummary } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import palimpsest, { contextEngine } from '../src/index.ts'
import { brokenEngine } from './support/broken-engine.ts'
import {
  acknowledge,
  branchOf,
  FACT,
  note,
  openNotes,
  portOf,
  sayNotes,
  textOf,
  WINDOW,
} from './support/notes.ts'
import { promptTokens, SUMMARY, startProvider } from './support/scripted-provider.ts'

const compactionsOf = (pi: Parameters<typeof branchOf>[0]): CompactionEntry[] =>
  branchOf(pi).filter((entry) => entry.type === 'compaction')

it('keeps 60 turns inside the window and in the file, and finds what is no longer in front of the model', async () => {
  const { pi, provider } = await openNotes()
  await sayNotes(pi, 1, 30)
  await pi.send('Read the log.')
  await sayNotes(pi, 31, 60)
  expect(await pi.send('Search postgres')).toBe('It says: We store everything in Postgres')

  expect(Math.max(...provider.requests.map(promptTokens))).toBeLessThan(WINDOW)
  expect(provider.requests.flatMap(({ messages }) => checkSequence(messages))).toEqual([])
  expect(provider.summaries.length).toBeGreaterThan(0)
  const last = provider.requests.at(-1)
  expect(last?.messages.filter(isSummary)).toHaveLength(1)
  const file = readFileSync(pi.runtime.session.sessionFile ?? '', 'utf8')
  for (let turn = 1; turn <= 60; turn++) expect(file.includes(note(turn))).toBe(true)
  expect(compactionsOf(pi)).toEqual([])
  expect(pi.told.filter((text) => /compacted, about/.test(text)).length).toBeGreaterThan(1)
})

/** The extension without its hold on requests: pi sends its own messages, with our summaries in its compactions. */
const compactionsOnly: ExtensionFactory = (pi) =>
  palimpsest(
    new Proxy(pi, {
      get: (target, key) =>
        key === 'on'
          ? (event: 'context', handler: () => void) => event !== 'context' && target.on(event, handler)
          : Reflect.get(target, key),
    }),
  )

it('keeps more for fewer tokens as a projection than as summaries in compactions of pi, and those more than pi alone', async () => {
  const measure = async (extension: ExtensionFactory) => {
    const { pi, provider } = await openNotes({ extension })
    await sayNotes(pi, 1, 60)
    await pi.close()
    const sent = provider.requests.map(promptTokens)
    const last = provider.requests.at(-1)
    const ports = Array.from({ length: 10 }, (_, index) => portOf((index + 1) * 6))
    return {
      kept: [FACT, ...ports].filter((fact) => last && textOf(last).includes(fact)).length,
      total: sent.reduce((sum, tokens) => sum + tokens, 0),
      largest: Math.max(...sent),
      summaries: provider.summaries.length,
      read: provider.summaries.map(promptTokens).reduce((sum, tokens) => sum + tokens, 0),
      compactions: compactionsOf(pi).length,
    }
  }
  const projected = await measure(palimpsest)
  const summarized = await measure(compactionsOnly)
  const alone = await measure(() => {})
  console.log({ projected, summarized, alone })
  expect(projected.kept).toBeGreaterThan(summarized.kept)
  expect(summarized.kept).toBeGreaterThan(alone.kept)
  expect(projected.total).toBeLessThan(summarized.total)
  expect([projected.compactions, alone.compactions > 0]).toEqual([0, true])
})

describe('/compact', () => {
  it("answers with the engine's summary of everything before the entry that pi keeps first, and says what it covers", async () => {
    const { pi, provider } = await openNotes()
    await sayNotes(pi, 1, 9)
    await pi.runtime.session.compact('the ports of services')

    const [compaction] = compactionsOf(pi)
    const { summary = '', firstKeptEntryId, fromHook, details } = compaction ?? {}
    expect(fromHook).toBe(true)
    expect(summary).toContain(FACT)
    expect(summary).toContain(portOf(6))
    expect(provider.summaries.map(textOf).join()).toContain('the ports of services')
    const ids = branchOf(pi).map(({ id }) => id)
    const kept = ids.indexOf(firstKeptEntryId ?? '')
    const before = branchOf(pi)
      .slice(0, kept)
      .filter((entry) => entry.type === 'message' && entry.message.role === 'user')
    // The cut is pi's own, and no message before it is missing.
    for (const turn of before.map((_, index) => index + 1)) expect(summary).toContain(`Note ${turn}:`)
    expect(details).toMatchObject({ engine: 'lcm', session: pi.runtime.session.sessionId, nodes: ['s1'] })
    const { covers = [] } = details as { covers?: [string, string][] }
    expect(covers.flat().every((id) => ids.includes(id))).toBe(true)

    // Without the extension, what pi sends is its own compaction with our summary.
    await pi.send(note(10))
    expect(await pi.send('Search postgres')).toBe('It says: We store everything in Postgres')
  })

  it('stops when the user stops it, and leaves everything as it was', async () => {
    const provider = await startProvider(acknowledge, () => 'stall')
    const { pi } = await openNotes({ provider })
    await sayNotes(pi, 1, 9)
    const before = branchOf(pi)
    const compacting = pi.runtime.session.compact()
    await expect.poll(() => provider.summaries.length).toBe(1)
    pi.runtime.session.abortCompaction()
    await expect(compacting).rejects.toThrow('Compaction cancelled')
    expect(branchOf(pi)).toEqual(before)
    await pi.send(note(10))
    expect(textOf(provider.requests.at(-1) ?? { messages: [] })).toContain(note(1))
  })

  it("is pi's own when the engine fails, and the user is told", async () => {
    const engine = brokenEngine()
    const { pi, provider } = await openNotes({ extension: contextEngine({ engine }) })
    await sayNotes(pi, 1, 9)
    await pi.runtime.session.compact()
    expect(compactionsOf(pi)).toMatchObject([{ summary: expect.stringContaining(SUMMARY) }])
    expect(compactionsOf(pi)[0]?.fromHook).toBeFalsy()
    expect(pi.told.join()).toContain('the engine "broken" failed to compact')
    await pi.send(note(10))
    expect(textOf(provider.requests.at(-1) ?? { messages: [] })).toContain(SUMMARY)
  })
})
