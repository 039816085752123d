import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runHere } from '../lcm/run-here.ts'
import { startFakeGemini } from '../serve/fake-gemini.ts'
import { priceFile } from './price-file.ts'

describe('a replay with a summariser', () => {
  afterEach(() => vi.unstubAllEnvs())

  it("has its calls in the bill, at the user's own prices", async () => {
    const gemini = await startFakeGemini()
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index} ${'what then, my friend? '.repeat(60)}`,
    }))
    const write = (name: string, text: string) => writeFile(join(folder, name), text)
    await write('session.jsonl', messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
    await write(
      'prices.json',
      JSON.stringify(priceFile('house', [{ id: 'gemini-of-the-house', input: 10, output: 100, cached: 1 }])),
    )
    vi.stubEnv('GEMINI_API_KEY', 'test-key-0123456789')
    const flags = [
      '--window',
      '16000',
      '--json',
      '--model',
      'gemini:gemini-of-the-house',
      '--base-url',
      gemini.baseUrl,
      '--provider',
      'openai',
    ]
    const priced = await runHere(['replay', 'session.jsonl', ...flags, '--prices', 'prices.json'], folder)
    const calls = gemini.requests.length
    const unpriced = await runHere(['replay', 'session.jsonl', ...flags], folder)
    await rm(folder, { recursive: true })
    expect(calls).toBeGreaterThan(0)
    expect(priced.stderr).toBe('')
    // 1,000 tokens of prompt and 80 of the answer for each call.
    expect(JSON.parse(priced.stdout).bill.summaries.usd).toBeCloseTo(
      (calls * (1000 * 10 + 80 * 100)) / 1e6,
      12,
    )
    expect(JSON.parse(unpriced.stdout).bill.summaries.usd).toBeNull()
  })
})
