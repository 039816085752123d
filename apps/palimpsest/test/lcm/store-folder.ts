import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { CliResult } from '../run-cli.ts'
import { runHere } from './run-here.ts'

/** A short conversation with a call, another script, and what a terminal must not obey. */
export const TALK = [
  { role: 'system', content: 'You help.' },
  { role: 'user', content: 'Where is the harbour of Lisbon?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"place":"Lisbon harbour"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'At the Tagus.\nPier 7 \u001b[31mred\u001b[0m 港口' },
  { role: 'assistant', content: 'At the Tagus, pier 7.' },
  { role: 'user', content: 'Thank you.' },
  { role: 'assistant', content: 'You are welcome.' },
]

export const lines = (messages: readonly unknown[]) =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('')

/** Commands that are about a store as a whole. */
const WHOLE = ['import', 'export', 'verify']

/** A folder of its own for each test, and the commands of a group, or `store`, run in it on `store.db`. */
export function useStoreFolder(group = 'lcm') {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  const path = (name = 'store.db') => join(folder, name)
  const run = (...args: string[]): Promise<CliResult> => runHere(args, folder)
  const lcm = (command: string, ...args: string[]) =>
    run(group === 'lcm' && WHOLE.includes(command) ? 'store' : group, command, '--store', 'store.db', ...args)
  const prints = async (command: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await lcm(command, ...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }

  return {
    path,
    run,
    lcm,
    write: (name: string, text: string) => writeFile(path(name), text),
    append: (name: string, text: string) => appendFile(path(name), text),
    read: (name: string) => readFile(path(name), 'utf8'),
    /** What a command prints that must succeed. */
    prints,
    /** A session's messages, without those that an edit replaced. */
    async stored(session: string): Promise<unknown[]> {
      const lines = (await prints('export', '--session', session)).trimEnd().split('\n')
      const rows = lines.map((line) => JSON.parse(line))
      return rows
        .filter(({ type, replaced }) => type === 'message' && !replaced)
        .map(({ message }) => message)
    },
    /** What a command prints as JSON. */
    async json(command: string, ...args: string[]) {
      const { stdout, stderr } = await lcm(command, '--json', ...args)
      expect(stderr).toBe('')
      return JSON.parse(stdout)
    },
    /** A command that must fail: with one clear line, and exit code 2. */
    async refuses(pattern: RegExp, ...args: string[]): Promise<void> {
      const { code, stdout, stderr } = await run(...args)
      expect(stderr).toMatch(pattern)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).not.toMatch(/\n\s+at |this is a bug/)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    },
  }
}
