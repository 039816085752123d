import { readFileSync } from 'node:fs'
import type { CompactionEntry, SessionEntry } from '@earendil-works/pi-coding-agent'
import { checkSequence, isSummary } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { contextEngine } from '../src/index.ts'
import { brokenEngine } from './support/broken-engine.ts'
import { branchOf, note, openNotes, portOf, sayNotes, textOf, WINDOW } from './support/notes.ts'
import { promptTokens, SUMMARY } from './support/scripted-provider.ts'

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

it('sends a result that is larger than the window in part, and keeps it whole', async () => {
  const { pi, provider } = await openNotes()
  await sayNotes(pi, 1, 10)
  expect(await pi.send('Read all logs.')).toBe('It says: line of the log')
  await sayNotes(pi, 11, 13)
  // Pi saw that it was too large, and got the engine's summary for its own record.
  expect(compactionsOf(pi)).toMatchObject([{ fromHook: true }])
  expect(Math.max(...provider.requests.map(promptTokens))).toBeLessThan(WINDOW)
  const file = readFileSync(pi.runtime.session.sessionFile ?? '', 'utf8')
  expect(file).toContain('line of the log. '.repeat(5_000))
})

describe('/compact', () => {
  const compaction = { keepRecentTokens: 1_000 }

  it("answers with the engine's summary of everything before the entry that pi keeps first, and says what it covers", async () => {
    const { pi, provider } = await openNotes({ compaction })
    await sayNotes(pi, 1, 20)
    await pi.runtime.session.compact('the ports of services')

    const { summary = '', firstKeptEntryId, fromHook, details } = compactionsOf(pi)[0] ?? {}
    expect(fromHook).toBe(true)
    expect(summary).toContain(portOf(6))
    expect(provider.summaries.map(textOf).join()).toContain('the ports of services')
    const ids = branchOf(pi).map(({ id }) => id)
    const kept = ids.indexOf(firstKeptEntryId ?? '')
    const { covers = [] } = details as { covers?: [string, string][] }
    const [first = '', last = ''] = covers.flat()
    const said = branchOf(pi)
      .filter(({ type }) => type === 'message')
      .map(({ id }) => id)
    // The cut is pi's own, and every message before it is under a summary or stands there as it was said.
    expect(covers).toHaveLength(1)
    expect(first).toBe(said.find((id) => textOfEntry(branchOf(pi)[ids.indexOf(id)]).startsWith('Note 1:')))
    const between = branchOf(pi).slice(ids.indexOf(last) + 1, kept)
    expect(between.length).toBeGreaterThan(0)
    for (const entry of between) expect(summary).toContain(textOfEntry(entry).trim())
    expect(details).toMatchObject({
      engine: 'lcm',
      session: pi.runtime.session.sessionId,
      nodes: expect.arrayContaining(['s1']),
    })
    // Without the extension, what pi sends is its own compaction with our summary.
    await pi.send(note(21))
    expect(await pi.send('Search postgres')).toBe('It says: We store everything in Postgres')
  })

  it("is pi's own when the engine fails, and the user is told", async () => {
    const engine = brokenEngine()
    const { pi, provider } = await openNotes({ extension: contextEngine({ engine }), compaction })
    await sayNotes(pi, 1, 20)
    await pi.runtime.session.compact()
    expect(compactionsOf(pi)).toMatchObject([{ summary: expect.stringContaining(SUMMARY) }])
    expect(compactionsOf(pi)[0]?.fromHook).toBeFalsy()
    expect(pi.told.join()).toContain('the engine "broken" failed to compact')
    await sayNotes(pi, 21, 60)
    expect(compactionsOf(pi).length).toBeGreaterThan(1)
    for (const request of provider.requests.slice(20)) expect(textOf(request)).toContain(SUMMARY)
    expect(Math.max(...provider.requests.map(promptTokens))).toBeLessThan(WINDOW)
  })
})

describe('the tree of a session', () => {
  const sessions = (pi: Parameters<typeof branchOf>[0]) => pi.runtime.session

  it('has a conversation for each branch: nothing of the other is shown or found, and nothing is summarised twice', async () => {
    const { pi, provider } = await openNotes()
    await sayNotes(pi, 1, 40)
    const target = branchOf(pi).findLast(
      (entry) =>
        entry.type === 'message' && entry.message.role === 'user' && textOfEntry(entry).startsWith('Note 31'),
    )
    const summaries = provider.summaries.length
    await sessions(pi).navigateTree(target?.id ?? '', { summarize: false })
    await pi.send('Note 31: we leave Postgres for Mongo.')
    const there = provider.requests.at(-1)
    expect(there?.messages.some(isSummary)).toBe(true)
    expect(there && textOf(there)).not.toContain('of day 33')
    await pi.send('Search day')
    const found = provider.requests.at(-1)
    expect(found && textOf(found)).toContain('"hits"')
    expect(found && textOf(found)).not.toContain('of day 33')

    // Back to where the first branch ended.
    const end = sessions(pi)
      .sessionManager.getEntries()
      .find((entry) => textOfEntry(entry) === 'Noted, that is number 40.')
    await sessions(pi).navigateTree(end?.id ?? '', { summarize: false })
    await pi.send(note(41))
    const back = provider.requests.at(-1)
    expect(back && textOf(back)).toContain('of day 40')
    expect(back && textOf(back)).not.toContain('Mongo')
    expect(provider.summaries.length - summaries).toBeLessThanOrEqual(2)
  })

  it('gives a fork the summaries that it shares', async () => {
    const { pi, provider } = await openNotes()
    await sayNotes(pi, 1, 40)
    const before = sessions(pi).sessionId
    const target = branchOf(pi).findLast((entry) => textOfEntry(entry).startsWith('Note 36'))
    const summaries = provider.summaries.length
    await pi.runtime.fork(target?.id ?? '')
    expect(sessions(pi).sessionId).not.toBe(before)
    await pi.send('Note 36: we leave Postgres for Mongo.')
    const forked = provider.requests.at(-1)
    expect(forked?.messages.some(isSummary)).toBe(true)
    expect(forked && textOf(forked)).not.toContain('of day 36')
    expect(provider.summaries.length - summaries).toBeLessThanOrEqual(1)
    expect(await pi.send('Search postgres')).toContain('Postgres')
    expect(pi.told.join()).not.toContain('history')
  })

  it('goes on after a restart with what is stored', async () => {
    const first = await openNotes()
    await sayNotes(first.pi, 1, 40)
    const sent = first.provider.requests.at(-1)?.messages ?? []
    await first.pi.close()
    const { pi, provider } = await openNotes({ storage: first.storage })
    await pi.send(note(41))
    expect(provider.summaries).toEqual([])
    // Down to the bytes, so that a provider's cache holds.
    expect(provider.requests[0]?.messages.slice(0, sent.length)).toEqual(sent)
    expect(await pi.send('Search postgres')).toBe('It says: We store everything in Postgres')
  })
})

function textOfEntry(entry: SessionEntry | undefined): string {
  if (entry?.type !== 'message' || !('content' in entry.message)) return ''
  const { content } = entry.message
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
