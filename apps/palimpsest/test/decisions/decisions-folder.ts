import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { runHere } from '../lcm/run-here.ts'
import type { CliResult } from '../run-cli.ts'

const record = (title: string, status: string, outcome: string) =>
  `---\nstatus: ${status}\ndate: 2026-01-0${title.length % 9 || 9}\n---\n\n# ${title}\n\n## Decision Outcome\n\n${outcome}\n`

/** A team's records: Postgres gave way to MySQL, JWT is in use, Kafka is a proposal, and there is a page about it all. */
export const RECORDS: Readonly<Record<string, string>> = {
  'adr/0001-store.md': record(
    'Store of orders',
    'superseded by ADR-0002',
    'Chosen option: "PostgreSQL", because we know it.',
  ),
  'adr/0002-store.md': record(
    'Another store of orders',
    'accepted',
    'Chosen option: "MySQL", because the hosting has nothing else.',
  ),
  'adr/0003-auth.md': record('Sign in', 'accepted', 'Chosen option: "JWT", because it is \u001b[31msimple.'),
  'adr/0004-queue.md': record('Queue', 'proposed', 'Chosen option: "Kafka", because it is fast.'),
  'adr/README.md': '# Decisions\n\nThis folder has them.\n',
}

/** A folder of its own for each test, and the `decisions` commands run in it on `store.db`. */
export function useDecisionsFolder() {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  const path = (name: string) => join(folder, name)
  const run = (...args: string[]): Promise<CliResult> => runHere(['decisions', ...args], folder)
  const decisions = (command: string, ...args: string[]) => run(command, '--store', 'store.db', ...args)

  return {
    path,
    run,
    decisions,
    read: (name: string) => readFile(path(name), 'utf8'),
    async write(files: Readonly<Record<string, string>>): Promise<void> {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(path(name)), { recursive: true })
        await writeFile(path(name), text)
      }
    },
    /** What a command prints that must succeed. */
    async prints(command: string, ...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await decisions(command, ...args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return stdout
    },
    /** What a command prints as JSON. */
    async json(command: string, ...args: string[]) {
      const { stdout } = await decisions(command, '--json', ...args)
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
