import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createBench } from '../../src/commands/create-bench.ts'
import { reportFailure } from '../../src/commands/usage-error.ts'

async function failureOf(...args: string[]): Promise<string> {
  const [stdout, printed] = [new PassThrough(), new PassThrough()]
  const now = () => new Date('2026-01-02T03:04:05Z')
  const root = new URL('../..', import.meta.url)
  try {
    await createBench({ root, stdout, stderr: process.stderr, env: {}, now }).parseAsync(['scale', ...args], {
      from: 'user',
    })
  } catch (error) {
    expect(reportFailure(error, printed)).toBe(2)
  }
  return String(printed.read())
}

describe('bench scale: a wrong call', () => {
  it.each([
    [['--messages', '1000', '--sessions', '100'], /^bench: --messages: use at least 200 for each session\n$/],
    [['--sessions', '0'], /^bench: .*Use 1 or more\.\n$/],
    [
      ['--url', 'mysql://me:secret@host/x'],
      /^bench: url: expected an address such as postgres:\/\/[^\n]*\n$/,
    ],
    [
      ['--url', 'postgres://me:secret@127.0.0.1:1/x'],
      /^bench: --url: there is no connection to the server: .*ECONNREFUSED[^\n]*\n$/,
    ],
  ])('%j: one line that says what is wrong', async (args, line) => {
    const printed = await failureOf(...args)
    expect(printed).toMatch(line)
    expect(printed).not.toContain('secret')
  })
})
