import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { PageFile } from '@palimpsest/inspector'
import { findPricing } from '@palimpsest/prompt-caching'
import { createTokenCounter } from '@palimpsest/tokens'
import { readTranscript } from '@palimpsest/transcripts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compactionsOf } from '../../../packages/inspector/web/src/data/compactions-of.ts'
import { saidIn } from '../../../packages/inspector/web/src/data/session-figures.ts'
import { chooseEngine } from '../src/engines/choose-engine.ts'
import { loadConfiguration } from '../src/engines/configuration.ts'
import { replayCommand } from '../src/replay/replay-command.ts'
import { type ReplayTask, replayEngine } from '../src/replay/replay-engine.ts'
import { runHere } from './lcm/run-here.ts'
import { startOfSession } from './start-of-session.ts'

// The page itself is built from other sources.
vi.mock('../../../packages/inspector/src/page/page-template.ts', async (original) => ({
  ...(await original<object>()),
  readPageTemplate: async () => '<html><title>Palimpsest</title><body></body></html>',
}))
// A part of the bundled session, which is enough to be compacted again and again.
const bundled = vi.hoisted(() => ({ BUNDLED_SESSION: '' }))
vi.mock('../src/bundled-session.ts', async (original) =>
  Object.defineProperty({ ...(await original<object>()) }, 'BUNDLED_SESSION', {
    enumerable: true,
    get: () => bundled.BUNDLED_SESSION,
  }),
)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
  bundled.BUNDLED_SESSION = await startOfSession(folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

async function taskOf(window: number): Promise<ReplayTask> {
  const transcript = await readTranscript(bundled.BUNDLED_SESSION)
  const profile = findPricing({ model: 'claude-sonnet-5-5' })
  return {
    ...{
      configuration: await loadConfiguration(undefined, folder),
      file: bundled.BUNDLED_SESSION,
      transcript,
      window,
    },
    ...{ prices: { profile, note: null } },
    ...{ model: undefined, summaries: 'offline', focusTopic: undefined, tokens: createTokenCounter() },
    isRecorded: true,
  }
}

async function replayed(engine: string, window: number) {
  const task = await taskOf(window)
  const flags = { engine }
  const chosen = await chooseEngine(task.configuration, flags)
  const { view, report } = await replayEngine(task, { engine: chosen, flags, label: 'replaying' })
  if (view === undefined) throw new Error('nothing was recorded')
  return { view, report }
}

/** Messages that a compaction kept, as it says itself. */
function keptIn({ kept }: { readonly kept: string }): number {
  const [, first = '', question, last = ''] =
    /kept (\d+) first(, the question)?, (\d+) last$/.exec(kept) ?? []
  return Number(first) + Number(last) + (question === undefined ? 0 : 1)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

describe('the page of a replay', () => {
  it.each(['compressor', 'decisions'])('has the numbers of the report: %s', async (engine) => {
    const { view, report } = await replayed(engine, 16_000)
    const { bill } = report
    expect(view.requests).toHaveLength(report.requests)
    const prompts = view.requests.map(({ tokens }) => sum(Object.values(tokens)))
    expect(sum(prompts)).toBe(report.tokensSent)
    expect(Math.max(...prompts)).toBe(report.maxProjectionTokens)
    expect(saidIn(view.messages)).toEqual({ said: report.session.messages, tokens: report.session.tokens })
    expect(bill.tools > 0).toBe(engine === 'decisions')
    expect(sum(view.requests.map(({ without }) => without))).toBe(report.tokensSentWithout)
    const { profile, notes: _, ...figures } = bill
    expect(view.bill).toEqual({ ...figures, model: profile.model, asOf: profile.asOf })
    const usd = sum(view.requests.map(({ cache }) => cache?.usd ?? 0))
    expect(usd).toBeCloseTo(bill.with - bill.summaries.usd, 9)
    expect(bill.summaries).toMatchObject({ usd: expect.closeTo(bill.with - usd, 9), isPaid: false })
    expect(bill.summaries.usd).toBeGreaterThan(0)
    expect(bill.without).toBeGreaterThan(0)
    expect(view.compactions).toEqual(
      report.compactions.map(({ request, outcome, reason, tokensBefore, tokensAfter }) =>
        expect.objectContaining({ request: request - 1, outcome, reason, tokensBefore, tokensAfter }),
      ),
    )
    if (engine === 'compressor')
      expect(compactionsOf(view).map(({ whole, shortened }) => whole + shortened)).toEqual(
        view.compactions.filter(({ outcome }) => outcome === 'compacted').map(keptIn),
      )
    expect(view.summaryNodes.length).toBeGreaterThan(5)
    expect(view.decisions?.filter(({ status }) => status === 'active').length).toBe(report.decisions?.active)
    expect(view).toMatchObject({ isLive: false, source: 'replay', title: 'ledger.jsonl', window: 16_000 })
  })

  it('is one file with every engine in it; the report gets a line of each, and stderr says where the page is', async () => {
    const plain = await runHere(['replay', bundled.BUNDLED_SESSION, '--window', '32000'], folder)
    const flags = ['--window', '32000', '--html', 'page.html', '--compare', 'lcm, compressor']
    const { code, stdout, stderr } = await runHere(['replay', bundled.BUNDLED_SESSION, ...flags], folder)
    const path = join(await realpath(folder), 'page.html')
    const [before = '', rest = ''] = stdout.split('side by side\n')
    const [own, other, , ...after] = rest.split('\n')
    expect([code, before + after.join('\n')]).toEqual([0, plain.stdout])
    expect(own).toMatch(
      /^compressor {2}\$[\d.]+, \d+ compactions?, largest prompt [\d,]+ tokens; summaries: no model writes them/,
    )
    expect(other).toMatch(/^lcm {9}\$/)
    expect(stderr).toBe(`the page: ${pathToFileURL(path).href}\n`)
    const { views } = await readPage(path)
    expect(views.map(({ engine, id }) => [engine, id])).toEqual([
      ['compressor', 'replay'],
      ['lcm', 'replay lcm'],
    ])
  })

  it('shows no secret with --redact, and says whether it was written so', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'run', arguments: JSON.stringify({ env: secret }) },
    }
    const said = [
      { role: 'system', content: `The key is ${secret}.` },
      { role: 'user', content: `Use ${secret}, and decide: we keep the port 8080.` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: `${secret} `.repeat(200) },
      { role: 'assistant', content: 'Done.' },
    ]
    const path = join(folder, 'said.json')
    await writeFile(path, JSON.stringify(said))
    const page = async (...flags: string[]) => {
      const { code } = await runHere(
        ['replay', path, '--html', 'page.html', '--compare', 'lcm,decisions', ...flags],
        folder,
      )
      expect(code).toBe(0)
      return {
        ...(await readPage(join(folder, 'page.html'))),
        all: await unpacked(join(folder, 'page.html')),
      }
    }
    const open = await page()
    expect([open.isRedacted, open.all.includes(secret)]).toEqual([false, true])
    const redacted = await page('--redact')
    expect([redacted.isRedacted, redacted.all.includes(secret)]).toEqual([true, false])
    // A path may name its owner.
    expect(open.views.map(({ command }) => command)).toEqual(Array(3).fill(replayCommand(path)))
    expect(redacted.views.filter((view) => 'command' in view)).toEqual([])
    expect(redacted.all).toContain('[REDACTED:')
    expect(redacted.views).toHaveLength(3)
  })

  it('of the demo lies in the temporary folder, with recorded summaries and answers of a model', async () => {
    vi.stubEnv('TMPDIR', folder)
    const demo = async (...flags: string[]) => {
      const { code, stdout, stderr } = await runHere(['demo', ...flags], folder)
      const [, address = ''] = /^the page: (file:.*)$/m.exec(stderr) ?? []
      expect(code).toBe(0)
      expect(address.startsWith(pathToFileURL(folder).href)).toBe(true)
      return { stdout, views: (await readPage(fileURLToPath(address))).views }
    }
    const { stdout, views } = await demo()
    expect(views.map(({ engine, command }) => [engine, command])).toEqual([['decisions over lcm', 'demo']])
    expect(stdout).toContain('written by Claude: a run of 2026-11-29 is replayed, without a key')
    expect(new Set(views[0]?.summaryNodes.map(({ writer }) => writer))).toEqual(new Set(['model']))
    expect(views[0]?.decisions?.filter(({ status }) => status === 'active').length).toBeGreaterThan(20)
    expect(stdout).toContain('newest messages  32.5 right, from 39,560 tokens')
    expect(views[0]?.answers).toMatchObject({ without: { right: 32.5 }, with: { right: 53 } })
    expect(views[0]?.answers?.questions).toHaveLength(60)
    // Nothing is recorded for another window: summaries are extracted, and nothing is claimed.
    const other = await demo('--window', '32000')
    expect(other.stdout).toContain('no model writes them; they quote the conversation')
    expect(other.views[0]?.answers).toBeUndefined()
  })

  it.each([
    [['--redact'], /--redact takes secrets out of the page: name its file with --html/],
    [['--compare', 'lcm'], /--compare shows engines side by side on the page: name its file with --html/],
    [['--html', 'page.html', '--compare', 'lcm,nosuch'], /the context engine "nosuch" was not found/],
    [
      ['--html', 'page.html', '--compare', 'lcm,'],
      /--compare wants names of engines with commas between them/,
    ],
    [
      ['--html', join('nowhere', 'page.html')],
      /--html: nowhere.page.html cannot be written: the folder .* is missing/,
    ],
  ])('a wrong call is told at once: %j', async (flags, message) => {
    const { code, stdout, stderr } = await runHere(['replay', bundled.BUNDLED_SESSION, ...flags], folder)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

async function readPage(path: string): Promise<PageFile> {
  const [, data = ''] =
    /id="palimpsest-data" type="application\/octet-stream">([^<]*)</.exec(await readFile(path, 'utf8')) ?? []
  return JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString())
}

/** All that a page's file holds, as text. */
async function unpacked(path: string): Promise<string> {
  const elements = (await readFile(path, 'utf8')).matchAll(/type="application\/octet-stream">([^<]*)</g)
  return [...elements].map(([, data = '']) => gunzipSync(Buffer.from(data, 'base64')).toString()).join('\n')
}
