import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compressor } from '@palimpsest/compressor'
import { createContextSession } from '@palimpsest/core'
import { findPricing } from '@palimpsest/prompt-caching'
import { createTokenCounter } from '@palimpsest/tokens'
import { readTranscript, type Transcript } from '@palimpsest/transcripts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReplayBill } from '../src/bill/replay-bill.ts'
import { BUNDLED_SESSION } from '../src/bundled-session.ts'
import { replaySession } from '../src/replay/replay-session.ts'
import { runCli } from './run-cli.ts'

let transcript: Transcript
beforeAll(async () => {
  transcript = await readTranscript(BUNDLED_SESSION)
})

const tokens = createTokenCounter()
const billOf = () =>
  createReplayBill({
    prices: { profile: findPricing({ model: 'claude-sonnet-5-5' }), note: null },
    setting: '5m',
    strategy: 'sticky',
    tokens,
  })

/** Of the bundled session, which are enough to be compacted again and again. */
const ENTRIES = 120

const replayBundled = (window: number, entries = transcript.entries) =>
  replaySession({
    transcript: { ...transcript, entries },
    bill: billOf(),
    open: async (parts) => ({
      session: createContextSession({ ...parts, engine: compressor, options: {} }),
      profile: null,
      warnings: [],
    }),
    window,
    enabled: true,
    tokens,
  })

describe('replay of the bundled session', () => {
  it.each([200_000, 100_000, 32_000, 16_000])(
    'window %i: no violation, and every compaction ends below the threshold',
    async (window) => {
      const { report } = await replayBundled(window)
      expect(report.invariants).toEqual({ checked: report.requests, violations: [] })
      const explained = new Set(
        report.warnings.filter(({ code }) => code === 'above-target').map(({ request }) => request),
      )
      const compacted = report.compactions.filter(({ outcome }) => outcome === 'compacted')
      expect(compacted.length).toBeGreaterThan(0)
      const threshold = Math.max(window / 2, Math.min(64_000, window * 0.75))
      const above = compacted.filter(({ tokensAfter }) => tokensAfter >= threshold)
      expect(above.filter(({ request }) => !explained.has(request))).toEqual([])
      expect(report.maxProjectionTokens).toBeLessThan(window)
      expect(report.tokensSent).toBeLessThanOrEqual(report.tokensSentWithout)
    },
  )
})

describe('palimpsest replay', () => {
  let folder: string
  /** The beginning of the bundled session. */
  let file: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
    file = join(folder, 'session.jsonl')
    const lines = (await readFile(BUNDLED_SESSION, 'utf8')).split('\n')
    await writeFile(file, lines.slice(0, ENTRIES).join('\n'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('prints a table for a person, and says that no model was used', async () => {
    const { code, stdout, stderr } = await runCli(['replay', file, '--window', '32000'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/no model writes them; they quote the conversation/)
    expect(stdout).toMatch(/rules: [\d,]+ prompts checked, no violation/)
    expect(stdout).toContain('what was kept')
    expect(`${stdout}${stderr}`).not.toContain('\u001b[')
  })
})
