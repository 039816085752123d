import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@palimpsest/core'
import { afterEach } from 'vitest'
import { encodeMessage } from '../../src/messages/encode-message.ts'
import { createSqliteStore } from '../../src/sqlite.ts'
import { hashSummary } from '../../src/store/hash-summary.ts'
import type { LcmSession, SummaryNode } from '../../src/store/lcm-session.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'

/** Folders and stores of the tests of a file; both are gone after each test. */
export function useFolders() {
  const folders: string[] = []
  const stores: LcmStore[] = []
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'palimpsest-sqlite-'))
    folders.push(path)
    return path
  }
  return {
    folder,
    /** A path at which nothing is. */
    path: (): string => join(folder(), 'store.db'),
    open(path: string, readOnly = false): LcmStore {
      const store = createSqliteStore({ path, readOnly })
      stores.push(store)
      return store
    },
  }
}

/** Appends user messages behind what is there. */
export async function say(session: LcmSession, ...texts: string[]): Promise<void> {
  const { nextSeq } = await session.head()
  const messages = texts.map((content) => encodeMessage({ role: 'user', content } as Message, 1))
  await session.append({ nextSeq, messages, at: 1 })
}

/** A leaf over messages, which is the whole frontier then. */
export async function summarize(session: LcmSession, first: number, last: number, text: string) {
  const { version, nextSummary } = await session.head()
  const node: Omit<SummaryNode, 'hash'> = {
    ...{ number: nextSummary, depth: 0, first, last, messages: last - first + 1, children: [], text },
    ...{ tokens: 1, sourceTokens: 1, writer: 'model', at: 1, from: 1, to: 1 },
  }
  const create = [{ ...node, hash: hashSummary(node) }]
  return session.commit({ version, create, summaries: [nextSummary], reason: 'compaction', at: 1 })
}

/** The code of the error that a promise is rejected with. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error as { code?: unknown }).code,
  )
}
