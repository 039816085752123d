import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compressor } from '@palimpsest/compressor'
import { checkProjection, createContextSession, type Message } from '@palimpsest/core'
import { findProfile } from '@palimpsest/prompt-caching'
import { createTokenCounter } from '@palimpsest/tokens'
import { readTranscript, type Transcript } from '@palimpsest/transcripts'
import { beforeAll, describe, expect, it } from 'vitest'
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
    prices: {
      ...{ profile: findProfile({ model: 'claude-sonnet-5-5' }), file: null, note: null },
      isRecorded: true,
    },
    setting: '5m',
    tokens,
    model: undefined,
    known: () => undefined,
  })

const replayBundled = (profile: 'lean' | 'classic', window: number) =>
  replaySession({
    transcript,
    bill: billOf(),
    open: async (parts) => ({
      session: createContextSession({ ...parts, engine: compressor, options: { profile } }),
      profile,
      warnings: [],
    }),
    window,
    enabled: true,
    focusTopic: undefined,
    tokens,
  })

describe('replay of the bundled session', () => {
  const windows = [200_000, 100_000, 32_000, 16_000]
  const runs = (['lean', 'classic'] as const).flatMap((profile) =>
    windows.map((window) => [profile, window] as const),
  )

  it.each(runs)(
    '%s, window %i: no violation, and every compaction ends below the threshold',
    async (profile, window) => {
      const { report, projections } = await replayBundled(profile, window)
      expect(report.laws).toEqual({ checked: report.requests, violations: [] })
      const explained = new Set(
        report.warnings.filter(({ code }) => code === 'above-target').map(({ request }) => request),
      )
      const compacted = report.compactions.filter(({ outcome }) => outcome === 'compacted')
      expect(compacted.length > 0).toBe(report.session.tokens > window / 2)
      const after = projections.filter(({ request }) =>
        compacted.some((compaction) => compaction.request === request),
      )
      expect(after).toHaveLength(new Set(compacted.map(({ request }) => request)).size)
      expect(after.filter(({ request, tokens }) => tokens >= window / 2 && !explained.has(request))).toEqual(
        [],
      )
      expect(report.maxProjectionTokens).toBeLessThan(window)
      expect(report.tokensSent).toBeLessThanOrEqual(report.tokensSentWithout)
      console.log(
        `${profile} ${window}: ${report.laws.checked} projections, ${compacted.length} compactions, 0 violations`,
      )
    },
  )

  it('gives the same report every time', async () => {
    const [first, second] = [await replayBundled('lean', 32_000), await replayBundled('lean', 32_000)]
    expect(second).toEqual(first)
  })
})

describe('palimpsest replay', () => {
  it('prints one JSON object and writes what it is asked for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
    const paths = {
      projections: join(folder, 'projections.jsonl'),
      transcript: join(folder, 'transcript.jsonl'),
    }
    const flags = [
      '--window',
      '32000',
      '--json',
      '--projections',
      paths.projections,
      '--transcript',
      paths.transcript,
    ]
    const { code, stdout } = await runCli(['replay', BUNDLED_SESSION, ...flags])
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect(Object.keys(report)).toEqual([
      'engine',
      'profile',
      'window',
      'session',
      'requests',
      'tokensSent',
      'tokensSentWithout',
      'compactions',
      'maxProjectionTokens',
      'tooLarge',
      'decisions',
      'bill',
      'laws',
      'warnings',
    ])
    expect(report).toMatchObject({
      engine: 'compressor',
      profile: 'lean',
      window: 32_000,
      decisions: null,
      session: { messages: transcript.entries.length },
    })
    expect(Object.keys(report.compactions[0])).toEqual([
      'request',
      'outcome',
      'reason',
      'tokensBefore',
      'tokensAfter',
      'changedFrom',
    ])

    const messages = await readJsonLines<Message>(paths.transcript)
    expect(messages).toEqual(JSON.parse(JSON.stringify(transcript.entries.map(({ message }) => message))))
    const projections = await readJsonLines<{
      request: number
      index: number
      tokens: number
      messages: Message[]
    }>(paths.projections)
    expect(projections.at(-1)?.request).toBe(report.requests)
    for (const projection of projections) {
      expect(checkProjection(projection.messages, messages.slice(0, projection.index))).toEqual([])
      expect(messages[projection.index]?.role).toBe('assistant')
    }
    await rm(folder, { recursive: true })
  })

  it('prints a table for a person, and says that no model was used', async () => {
    const { code, stdout, stderr } = await runCli(['demo', '--window', '100000'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/offline: extracted from the transcript, without a model/)
    expect(stdout).toMatch(/laws: [\d,]+ projections checked, no violation/)
    expect(stdout).toContain('what was kept')
    expect(`${stdout}${stderr}`).not.toContain('\u001b[')
  })

  it('works offline and says so when a model is named without a key', async () => {
    const { code, stderr } = await runCli(['demo', '--model', 'gemini:gemini-3-flash', '--window', '100000'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^GEMINI_API_KEY is not set: summaries are made offline/)
  })

  it('ends quietly when its reader stops early', async () => {
    const { code, stderr } = await runCli(['replay', BUNDLED_SESSION, '--window', '16000', '--json'], {
      closeStdout: true,
    })
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  it('shows examples in its help', async () => {
    const { code, stdout } = await runCli(['replay', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('$ palimpsest replay session.jsonl --window 32000')
  })
})

async function readJsonLines<T>(path: string): Promise<T[]> {
  const text = await readFile(path, 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}
