import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createContextSession, type Message } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import { createSqliteStore } from '@palimpsest/store'
import { afterEach, beforeEach, expect } from 'vitest'
import { runHere } from '../lcm/run-here.ts'
import type { CliResult } from '../run-cli.ts'

/** A decision as the agent records it, with the user's words that say it; without words, a proposal. */
export interface Recorded {
  readonly subject: string
  readonly value: string
  readonly quote?: string
  readonly replaces?: string
  readonly reason?: string
  readonly kind?: string
}

/** Postgres gave way to MySQL, JWT is in use, a rule stands, and Kafka is a proposal. */
export const SHOP: readonly Recorded[] = [
  { subject: 'store of orders', value: 'PostgreSQL', quote: 'We use PostgreSQL, we know it.' },
  {
    subject: 'store of orders',
    value: 'MySQL',
    replaces: 'PostgreSQL',
    quote: 'We switch to MySQL.',
    reason: 'the hosting has nothing else',
  },
  { subject: 'sign in', value: 'JWT \u001b[31mtokens', quote: 'For the sign in, JWT.' },
  {
    subject: 'language',
    value: 'Always answer in Spanish.',
    quote: 'Always answer in Spanish.',
    kind: 'rule',
  },
  { subject: 'queue', value: 'Kafka' },
]

export interface Owner {
  readonly session?: string
  readonly project?: string
  readonly principal?: string
}

/** A session in a store in which the user says something and the agent records it, message by message. */
export async function recordIn(
  path: string,
  { session: sessionId = 'talk', project, principal }: Owner,
  records: readonly Recorded[] = SHOP,
): Promise<void> {
  const store = createSqliteStore({ path })
  const options = project === undefined ? {} : { project }
  const about = { sessionId, principal, contextLength: 64_000 }
  const session = createContextSession({ engine: decisions, options, store, ...about })
  const history: Message[] = []
  for (const record of records) {
    history.push({ role: 'user', content: record.quote ?? 'Go on.' })
    await session.prepare(history)
    await session.callTool('decisions_record', record)
    const message = { role: 'assistant', content: 'All right.' } as const
    await session.observe({ message })
    history.push(message)
  }
  await session.append(history.slice(-1))
  await session.end()
  await store.close()
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
    /** Fills `store.db`. */
    record: (owner: Owner, records?: readonly Recorded[]) => recordIn(path('store.db'), owner, records),
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
