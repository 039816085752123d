import { type Message, ModelError } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { uncovered } from './coverage.ts'
import {
  createEngine,
  type EngineSetup,
  everySummary,
  memoryStore,
  openSession,
  SUMMARY,
  scripted,
  shownSummaries,
  system,
  turns,
  words,
} from './harness.ts'

const told: Message[] = [system(), ...turns(30)]

/** Compacts a list by force, and reads what came of it. */
async function compact(messages: readonly Message[], setup: EngineSetup = {}) {
  const store = memoryStore()
  const engine = createEngine({ store, window: 8_000, ...setup })
  const done = await engine.compress({ messages, force: true })
  const session = await openSession(store)
  const nodes = await shownSummaries(store)
  const leaves = (await everySummary(session)).filter(({ depth }) => depth === 0)
  return { engine, done, session, nodes, leaves }
}

describe('leaves', () => {
  it('stand for the oldest messages first, in blocks of whole transactions that keep to their size', async () => {
    const { leaves, session } = await compact(told, { leaf_chunk_tokens: 700 })
    expect(leaves.length).toBeGreaterThan(4)
    expect(leaves[0]?.first).toBe(1)
    for (const [index, leaf] of leaves.entries()) {
      expect(leaf.first).toBe(index === 0 ? 1 : (leaves[index - 1]?.last ?? 0) + 1)
      expect(leaf.sourceTokens).toBeLessThanOrEqual(700)
      const [first] = await session.messages({ first: leaf.first, limit: 1 })
      expect(first?.role).not.toBe('tool')
    }
  })

  it('name the files that the model left out, and so do the summaries above them', async () => {
    const { nodes, done } = await compact([system(), ...turns(60)], {
      model: scripted(`${SUMMARY}\n${'- a fact.\n'.repeat(60)}`),
      leaf_chunk_tokens: 600,
    })
    expect(nodes.some(({ depth }) => depth > 0)).toBe(true)
    expect(JSON.stringify(done.messages)).toMatch(/src\/t\d+\.ts/)
  })
})

describe('a model that fails', () => {
  it('to be brief is believed up to twice the length, and then asked once to write it again', async () => {
    const long = scripted(`## Goal\n${words(3_000)}`)
    const { leaves } = await compact(told, { model: long, leaf_chunk_tokens: 2_000 })
    const [first = '', second = ''] = long.calls.map(({ prompt }) => prompt)
    const room = Number(/room for (\d+) tokens/.exec(first)?.[1])
    expect(second).toContain(`Write it again with at most ${room} tokens`)
    expect(second).not.toContain('<conversation>')
    expect(leaves[0]?.text).toContain('lines left out')
    expect(leaves[0]?.writer).toBe('model')
    const believed = scripted(`## Goal\n${words(room / 2)}`)
    await compact(told, { model: believed, leaf_chunk_tokens: 2_000 })
    expect(believed.calls[1]?.prompt).toContain('<conversation>')
  })

  it.each(['auth', 'quota', 'network', 'timeout', 'overloaded', 'truncated', 'empty'] as const)(
    'by %s writes nothing while there is room, and costs no message when there is none',
    async (kind) => {
      const store = memoryStore()
      const engine = createEngine({ store, window: 8_000, model: scripted(new ModelError(kind, 'no')) })
      const kept = await engine.compress({ messages: told, currentTokens: 6_100 })
      expect([kept.outcome, kept.reason, kept.messages]).toEqual(['aborted', `summariser-${kind}`, told])
      expect(kept.warnings[0]?.code).toBe('summariser-failed')
      expect(await shownSummaries(store)).toEqual([])
      const full = await engine.compress({ messages: told, currentTokens: 7_000 })
      expect([full.outcome, full.reason]).toEqual(['compacted', 'summarised-without-model'])
      expect(await uncovered(await openSession(store), full.messages)).toBeUndefined()
    },
  )

  it('in the middle leaves either all of a compaction or nothing of it', async () => {
    for (let good = 0; good < 6; good++) {
      for (const error of [new ModelError('overloaded', 'no'), new ModelError('blocked', 'no')]) {
        const store = memoryStore()
        const model = scripted(...Array.from({ length: good }, () => SUMMARY), error)
        const engine = createEngine({ store, window: 8_000, model, leaf_chunk_tokens: 700 })
        const { outcome, messages } = await engine.compress({ messages: told, currentTokens: 6_100 })
        const session = await openSession(store)
        expect(await uncovered(session, messages)).toBeUndefined()
        const { nextSummary, version } = await session.head()
        if (outcome === 'aborted') expect([nextSummary, version]).toEqual([1, 0])
        else expect(version).toBeGreaterThan(0)
      }
    }
  })

  it('by being slow is aborted, and the next try finds everything as it was', async () => {
    const controller = new AbortController()
    const store = memoryStore()
    const model = scripted(() => {
      controller.abort(new Error('stopped'))
      return SUMMARY
    })
    const engine = createEngine({ store, window: 8_000, model })
    await expect(engine.compress({ messages: told, force: true, signal: controller.signal })).rejects.toThrow(
      'stopped',
    )
    expect(await shownSummaries(store)).toEqual([])
    expect(await engine.compress({ messages: told, force: true })).toMatchObject({ outcome: 'compacted' })
  })
})
