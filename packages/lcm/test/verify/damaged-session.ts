import { hashSummary } from '../../src/store/hash-summary.ts'
import type {
  FrontierVersion,
  LcmSession,
  SessionHead,
  StoredMessage,
  SummaryNode,
} from '../../src/store/lcm-session.ts'
import {
  AT,
  commit,
  compactTo,
  condenseAll,
  edit,
  encode,
  leaf,
  say,
  texts,
} from '../../src/store-tests/harness.ts'
import { memoryStore } from '../memory-store.ts'

/** What a store answers instead of what it holds. Null: the row is not there. */
export interface Damage {
  readonly head?: (head: SessionHead) => SessionHead
  readonly message?: (message: StoredMessage) => StoredMessage | null
  readonly text?: (seq: number, text: string) => string | null
  readonly summary?: (node: SummaryNode) => SummaryNode | null
  /** The numbers of the summaries of a version. */
  readonly frontier?: (version: number, summaries: readonly number[]) => readonly number[]
  readonly version?: (version: FrontierVersion) => FrontierVersion | null
}

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null)

/** A session whose store gives damaged rows. */
export function damaged(session: LcmSession, damage: Damage): LcmSession {
  const { head = (x) => x, message = (x) => x, text = (_, x) => x } = damage
  const { summary = (x) => x, frontier = (_, x) => x, version = (x) => x } = damage
  const summaries = async (numbers: readonly number[]) =>
    present((await session.summaries(numbers)).map(summary))
  return {
    ...session,
    summaries,
    head: async () => head(await session.head()),
    messages: async (query) => present((await session.messages(query)).map(message)),
    candidates: async (query) => {
      const rows = (await session.candidates(query)).map((row) => ({ row, text: text(row.seq, row.text) }))
      return rows.flatMap((found) => (found.text === null ? [] : [{ ...found.row, text: found.text }]))
    },
    versions: async (query) => present((await session.versions(query)).map(version)),
    frontier: async (asked) => {
      const found = await session.frontier(asked)
      const numbers = frontier(
        found.version,
        found.nodes.map(({ number }) => number),
      )
      return { version: found.version, nodes: await summaries(numbers) }
    },
  }
}

/** Changes a summary and makes its hash right again: damage that only its meaning shows. */
export function reseal(node: SummaryNode, changes: Partial<SummaryNode>): SummaryNode {
  const changed = { ...node, ...changes }
  return { ...changed, hash: hashSummary(changed) }
}

/**
 * m0 system; m1 to m12 said, m3 to m4 replaced; s1 over m1–m2 and m5; s2 over m6–m7, s3 over m8–m9; s4 over all
 * three; s5 over m10 behind it. m11 and m12 are raw. m7 was forgotten.
 */
export async function soundSession(): Promise<LcmSession> {
  const session = await memoryStore().session({ key: 'a' }, AT)
  await session.append({ nextSeq: 0, messages: [encode({ role: 'system', content: 'Be brief.' })], at: AT })
  await say(session, ...texts(4, 'early'))
  await edit(session, 3, [], 'm5', 'm6')
  for (let seq = 7; seq < 13; seq++) await say(session, `m${seq}`)
  await session.forget({ first: 7, last: 7, reason: 'asked', at: AT })
  await commit(session, [await leaf(session, 1, 1, 5)], [1])
  await compactTo(session, 7)
  await compactTo(session, 9)
  await condenseAll(session)
  await compactTo(session, 10)
  return session
}
