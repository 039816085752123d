import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roughTokenCounter } from '@palimpsest/core'
import { afterAll, describe, expect, it } from 'vitest'
import { measureRecorded, recordedSection } from '../../src/commands/cost.ts'
import { readSessions } from '../../src/commands/options.ts'

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-recorded-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** 2026-01-01T00:00:00Z. */
const START = 1_767_225_600_000
const HEAD = 5000

/** A session whose third answer reads nothing, of the format of pi. */
function session(): string {
  const lines: object[] = [
    {
      type: 'session',
      id: 's',
      timestamp: new Date(START).toISOString(),
      cwd: '/p',
      provider: 'anthropic',
      modelId: 'claude-opus-5',
    },
  ]
  let prompt = HEAD
  let cached = 0
  for (let turn = 0; turn < 4; turn++) {
    const at = START + turn * 60_000
    const line = (message: object, offset: number) =>
      lines.push({
        type: 'message',
        timestamp: new Date(at + offset).toISOString(),
        message: { ...message, timestamp: at + offset },
      })
    line({ role: 'user', content: 'x'.repeat(3984) }, 0)
    prompt += 1000
    const cacheRead = turn === 2 ? 0 : cached
    const usage = { input: 0, output: 1000, cacheRead, cacheWrite: prompt - cacheRead }
    line(
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'y'.repeat(3984) }],
        provider: 'anthropic',
        model: 'claude-opus-5',
        usage,
        stopReason: 'stop',
      },
      1000,
    )
    cached = prompt
    prompt += 1000
  }
  return lines.map((line) => JSON.stringify(line)).join('\n')
}

describe('recorded sessions', () => {
  it('are compared file by file; what is no session is skipped and named', async () => {
    writeFileSync(join(folder, 'a.jsonl'), session())
    writeFileSync(join(folder, 'notes.txt'), 'no session')
    const result = measureRecorded(await readSessions(folder), roughTokenCounter)
    expect(result.skipped).toEqual([
      { file: 'notes.txt', reason: expect.stringMatching(/no known format|UNKNOWN_FORMAT/) },
    ])
    expect(result.rows).toHaveLength(1)
    expect(result.rows[0]).toMatchObject({
      file: 'a',
      model: 'claude-opus-5',
      report: {
        requests: 3,
        medianReadError: 0,
        misses: { nothingRead: 1, headOnly: 0, moreRead: 0, other: 0 },
      },
    })
    const { text, table } = recordedSection(result)
    expect(table?.rows.map((row) => row.at(-1))).toContain('nothingRead 1')
    const said = [text].flat().join('\n')
    expect(said).toContain('nothingRead: nothing was read within the lifetime')
    expect(said).not.toContain('headOnly:')
    expect(said).toContain('was skipped')
  })
})
