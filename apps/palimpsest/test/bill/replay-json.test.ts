import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPricing } from '@palimpsest/prompt-caching'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BillReport } from '../../src/bill/replay-bill.ts'
import { runHere } from '../lcm/run-here.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
  await write('session.jsonl', session())
  await write('hermes.yaml', 'prompt_caching:\n  strategy: system_and_3\n')
  await write('off.yaml', 'prompt_caching:\n  cache_ttl: off\n')
})
afterAll(() => rm(folder, { recursive: true }))

const write = (name: string, text: string) => writeFile(join(folder, name), text)

/** A session of pi with Claude, whose provider read in each request what the one before had sent. */
function session(): string {
  const at = (turn: number) => Date.UTC(2026, 9, 1) + turn * 20_000
  const lines: object[] = [
    { type: 'session', version: 3, id: 's', timestamp: new Date(at(0)).toISOString(), cwd: '/' },
  ]
  const add = (turn: number, message: object) =>
    lines.push({
      ...{
        type: 'message',
        id: `m${lines.length}`,
        parentId: lines.length === 1 ? null : `m${lines.length - 1}`,
      },
      ...{ timestamp: new Date(at(turn)).toISOString(), message: { ...message, timestamp: at(turn) } },
    })
  for (let turn = 0; turn < 12; turn++) {
    add(turn, {
      role: 'user',
      content: [{ type: 'text', text: `${turn} ${'what then, my friend? '.repeat(60)}` }],
    })
    const cacheRead = turn === 0 ? 0 : 3000 + 310 * turn
    const usage = { input: 0, output: 5, cacheRead, cacheWrite: 3310 + 310 * turn - cacheRead }
    add(turn, {
      ...{ role: 'assistant', provider: 'anthropic', model: 'claude-opus-5', stopReason: 'stop', usage },
      content: [{ type: 'text', text: 'Go on.' }],
    })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

async function run(...flags: string[]) {
  const { code, stdout, stderr } = await runHere(['replay', ...flags], folder)
  expect(`${code} ${code === 0 ? '' : stderr}`).toBe('0 ')
  return { stdout, stderr }
}

async function billOf(...flags: string[]): Promise<BillReport> {
  const { stdout } = await run('session.jsonl', '--json', ...flags)
  return JSON.parse(stdout).bill
}

function expectConsistent(bill: BillReport): void {
  expect(bill.with).toBeGreaterThan(0)
  // Nothing is compacted, and the engine has no tools of its own.
  expect(bill.without).toBeCloseTo(bill.with, 12)
  expect(bill.cacheReadShare).toBeGreaterThan(0.5)
  expect(bill.cacheReadShare).toBeLessThan(1)
}

describe('the bill of replay --json', () => {
  it("has the recording's model and consistent amounts", async () => {
    const bill = await billOf()
    const { source, asOf } = findPricing({ model: 'claude-opus-5' })
    expect(bill.profile).toMatchObject({
      provider: 'anthropic',
      model: 'claude-opus-5',
      ttl: '5m',
      source,
      asOf,
    })
    expectConsistent(bill)
    expect(bill.notes).toEqual([])
    expect(bill.summaries).toEqual({ requests: 0, usd: 0, isPaid: false })
  })

  it('is another with --provider, of one that caches by itself', async () => {
    const [own, other] = [await billOf(), await billOf('--provider', 'deepseek')]
    expect(other.profile).toMatchObject({ provider: 'deepseek', ttl: 'automatic' })
    expectConsistent(other)
    expect(other.with).toBeLessThan(own.with)
  })

  it('is that of the breakpoints that are set, with the engine and without', async () => {
    const [own, hermes, off] = [
      await billOf(),
      await billOf('--config', 'hermes.yaml'),
      await billOf('--config', 'off.yaml'),
    ]
    expect(hermes.with).toBeCloseTo(own.with, 1)
    expect(off).toMatchObject({ cacheReadShare: 0, without: expect.closeTo(off.with, 12) })
    expect(off.with).toBeGreaterThan(2 * own.with)
  })

  it('is the same four figures in the same order for a person', async () => {
    const { without, with: own, cacheReadShare } = await billOf()
    const { stdout } = await run('session.jsonl')
    const rows = stdout.slice(stdout.indexOf('what it costs')).split('\n').slice(1, 6)
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['whole history', `$${without?.toFixed(4)}, sent with each request`],
      ['with compressor', `$${own.toFixed(4)}, summaries included`],
      ['of which summaries', 'nothing, none was written'],
      ['read from cache', `${(100 * cacheReadShare).toFixed(1)} % of the tokens`],
      ['prices', expect.stringMatching(/^claude-opus-5, [\d-]+, cache lifetime 5m; answers are left out$/)],
    ])
    expect(stdout).not.toMatch(/less\)|without cache|sticky|system_and_3/)
  })
})
