import { stat } from 'node:fs/promises'
import { type Message, roughTokenCounter } from '@palimpsest/core'
import { encodeMessage, hashSummary, type LcmSession, type LcmStore, type SummaryNode } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import type { Progress } from '../progress.ts'
import { whole } from '../report/section.ts'
import { type RatioRow, ratioRow } from '../speed/time.ts'
import { SUMMARY } from '../workload/stub-model.ts'
import { inBatches, lcmWorkload, NEIGHBOUR, SESSION, START, type StoreFile, timeOf } from './workload.ts'

/** Messages of the neighbour, at least. */
const NEIGHBOUR_MESSAGES = 1_000
export const BULK = 500

interface BuildInput {
  readonly seed: number
  readonly messages: number
  /** `done` of `messages` are written. */
  readonly onProgress?: (done: number, messages: number) => void
}

export async function buildStore(
  store: LcmStore,
  { seed, messages, onProgress = () => {} }: BuildInput,
): Promise<FilledSession> {
  const fill = async (ref: typeof SESSION, own: number, count: number, onDone = (_: number) => {}) =>
    fillSession(await store.session(ref, START), lcmWorkload(own, count).messages, {
      batch: BULK,
      onProgress: onDone,
    })
  const before = await fill(NEIGHBOUR, seed + 1, NEIGHBOUR_MESSAGES)
  const filled = await fill(SESSION, seed, messages, (done) => onProgress(done, messages))
  return { ...filled, jsonBytes: before.jsonBytes + filled.jsonBytes }
}

interface FillInput {
  readonly path: string
  readonly seed: number
  readonly messages: number
  readonly progress: Progress
}

export async function fillStore({
  path,
  seed,
  messages,
  progress,
}: FillInput): Promise<{ readonly file: StoreFile; readonly row: RatioRow }> {
  progress.step(`${whole(messages)} messages: write them`)
  const store = createSqliteStore({ path })
  const built = await buildStore(store, { seed, messages, onProgress: progress.done })
  // Closing moves the log into the file.
  await store.close()
  const { size } = await stat(path)
  progress.step(`${whole(messages)} messages: summarise them`)
  const again = createSqliteStore({ path })
  const count = built.tokens.length
  await addSummaries({ ...built, session: await again.session(SESSION, timeOf(count)) })
  await again.close()
  const row = ratioRow({
    operation: 'size of the file',
    messages: count,
    unit: 'bytes',
    measured: size,
    floor: built.jsonBytes,
    against: 'the messages as JSON lines',
    target: 1.6,
  })
  return { file: { path, messages: count }, row }
}

type FilledSession = Awaited<ReturnType<typeof fillSession>>

/** At least so many messages at the end are not summarised. */
const TAIL_MESSAGES = 30

/** Writes messages into an empty session, batch by batch. `onProgress` gets how many are written. */
export async function fillSession(
  session: LcmSession,
  messages: Iterable<Message>,
  { batch, onProgress = () => {} }: { readonly batch: number; readonly onProgress?: (done: number) => void },
) {
  const tokens: number[] = []
  const turns: number[] = []
  let jsonBytes = 0
  for (const list of inBatches(messages, batch)) {
    const encoded = encodeAll(list)
    await session.append({ nextSeq: tokens.length, messages: encoded, at: timeOf(tokens.length) })
    for (const { tokens: count, json, role } of encoded) {
      if (role === 'user') turns.push(tokens.length)
      tokens.push(count)
      jsonBytes += Buffer.byteLength(json) + 1
    }
    onProgress(tokens.length)
  }
  const start = turns.findLast((seq) => seq <= tokens.length - TAIL_MESSAGES) ?? 1
  // `coverTo`: the last message that summaries should cover. `jsonBytes`: the messages as JSON lines.
  return { session, tokens, coverTo: start - 1, jsonBytes }
}

export function encodeAll(messages: readonly Message[]) {
  return messages.map((message) => encodeMessage(message, roughTokenCounter.countMessage(message)))
}

const LEAF_MESSAGES = 24
/** Summaries that a condensed one takes the place of. */
const FAN_IN = 8
const COMMIT_MESSAGES = LEAF_MESSAGES * FAN_IN ** 3

/** Leaves, and condensed summaries over them, up to a handful at the top. Returns how many there are. */
export async function addSummaries({ session, tokens, coverTo }: FilledSession): Promise<number> {
  let { version } = await session.head()
  let number = 0
  let created: SummaryNode[] = []
  const write = (first: number, last: number, children: readonly SummaryNode[]): SummaryNode => {
    number++
    const proved = {
      number,
      depth: children.reduce((depth, child) => Math.max(depth, child.depth + 1), 0),
      first,
      last,
      messages: last - first + 1,
      children: children.map((child) => child.number),
      text: `${SUMMARY}\n- Summary ${number}.`,
      writer: 'model' as const,
    }
    const node: SummaryNode = {
      ...proved,
      tokens: 1_500,
      sourceTokens: tokens.slice(first, last + 1).reduce((sum, count) => sum + count, 0),
      at: timeOf(last),
      from: timeOf(first),
      to: timeOf(last),
      hash: hashSummary(proved),
    }
    created.push(node)
    return node
  }
  /** Until no more than a fan-in is left. */
  const condense = (nodes: readonly SummaryNode[]): readonly SummaryNode[] => {
    if (nodes.length <= FAN_IN) return nodes
    const above = [...inBatches(nodes, FAN_IN)].flatMap((group) => {
      const [head, next] = group
      if (head === undefined || next === undefined) return group
      return [write(head.first, group.at(-1)?.last ?? head.last, group)]
    })
    return condense(above)
  }
  let top: readonly SummaryNode[] = []
  for (let first = 1; first <= coverTo; first += COMMIT_MESSAGES) {
    const last = Math.min(coverTo, first + COMMIT_MESSAGES - 1)
    const leaves: SummaryNode[] = []
    for (let from = first; from <= last; from += LEAF_MESSAGES)
      leaves.push(write(from, Math.min(last, from + LEAF_MESSAGES - 1), []))
    top = [...top, ...condense(leaves)]
    if (last === coverTo) top = condense(top)
    const summaries = top.map((node) => node.number)
    const frontier = await session.commit({
      version,
      create: created,
      summaries,
      reason: 'compaction',
      at: timeOf(last),
    })
    version = frontier.version
    created = []
  }
  return number
}
