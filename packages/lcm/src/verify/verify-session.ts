import { hash } from 'node:crypto'
import { errorText, type Message } from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import { isInstructionRole } from '../history/check-frontier.ts'
import { versionsOf } from '../history/frontier-history.ts'
import { countLive, isReplaced } from '../history/replaced-ranges.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import { hashSummary } from '../store/hash-summary.ts'
import type {
  EncodedMessage,
  FrontierVersion,
  LcmSession,
  SeqRange,
  SessionHead,
  StoredMessage,
  SummaryNode,
} from '../store/lcm-session.ts'
import { type LcmStore, listSessions, type SessionInfo, type StoreFault } from '../store/lcm-store.ts'
import { rangeRef } from '../tools/refs.ts'

/** Attempts when others write to the session while it is read. */
const ATTEMPTS = 3
/** Rows that are read at a time. */
const PAGE = 200

/**
 * Proves a session: every message is there once, byte for byte as it came in; every summary agrees with its sources;
 * every live message stands in one summary of the frontier or behind it. Reads in pages: its memory does not grow
 * with the session.
 *
 * @returns the faults; empty when the session is proved.
 * @throws StoreError when the store cannot be read at all.
 */
export async function verifySession(
  session: LcmSession,
  { onMessages = () => {} }: { readonly onMessages?: (count: number) => void } = {},
): Promise<StoreFault[]> {
  for (let attempt = 1; ; attempt++) {
    const head = await session.head()
    const context = { session, head, list: createFaultList(session) }
    checkHead(head, context.list)
    await checkMessages(context, attempt === 1 ? onMessages : () => {})
    await checkSummaries(context)
    await checkFrontiers(context)
    const { faults } = context.list
    if (faults.length === 0 || attempt === ATTEMPTS) return [...faults]
    // A fault may be what a writer has done between two reads.
    const { version, nextSeq } = await session.head()
    if (version === head.version && nextSeq === head.nextSeq) return [...faults]
  }
}

/** Replaced messages are runs in order that do not touch, of messages that are there. */
function checkHead({ replaced, nextSeq }: SessionHead, list: FaultList): void {
  let end = -1
  for (const [index, { first, last }] of replaced.entries()) {
    const ref = `m${first}`
    if (first < 0 || last < first)
      list.add('replaced-empty', `the replaced run from m${first} to m${last} is empty`, ref)
    if (index > 0 && first <= end + 1)
      list.add(
        'replaced-order',
        `the replaced run from m${first} on overlaps with the one before it or touches it`,
        ref,
      )
    if (last >= nextSeq)
      list.add('replaced-beyond', `m${last} is marked as replaced, but the next message is m${nextSeq}`, ref)
    end = Math.max(end, last)
  }
}

/**
 * Every version is there, and its list is an unbroken run from the first message that is no instruction; the current
 * one covers live messages only, so that each stands either in it once or behind it.
 */
async function checkFrontiers(context: CheckContext): Promise<void> {
  const { session, head, list } = context
  const start = await firstCoverable(context)
  let expected = head.version
  let nextSeq = head.nextSeq
  for await (const version of versionsOf(session)) {
    // A version that came after the head was read belongs to another check.
    if (version.version > head.version) continue
    const ref = `v${version.version}`
    for (; expected > version.version; expected--) reportMissing(expected, list)
    expected = version.version - 1
    if (version.nextSeq > nextSeq)
      list.add('version-order', `version ${version.version} is newer than the one after it`, ref)
    nextSeq = Math.min(nextSeq, version.nextSeq)
    if ((version.reason === 'start') !== (version.version === 0))
      list.add(
        'version-reason',
        `version ${version.version} came to be by a ${version.reason}, which cannot be`,
        ref,
      )
    const found = await readOrReport(
      () => session.frontier(version.version),
      (reason) =>
        list.add('frontier-unreadable', `version ${version.version} cannot be read: ${reason}`, ref),
    )
    if (found === undefined) continue
    checkRun(context, version, found.nodes, start)
    if (version.version === head.version) checkCurrent(context, found.nodes, start)
  }
  for (; expected >= 0; expected--) reportMissing(expected, list)
}

function reportMissing(version: number, list: CheckContext['list']): void {
  list.add('version-missing', `version ${version} of the frontier is not there`, `v${version}`)
}

function checkRun(
  { head, list }: CheckContext,
  { version, nextSeq }: FrontierVersion,
  nodes: readonly SummaryNode[],
  start: number,
): void {
  const ref = `v${version}`
  let previous: SummaryNode | undefined
  for (const node of nodes) {
    const from = previous === undefined ? start : previous.last + 1
    if (previous !== undefined && node.first <= previous.last)
      list.add(
        'frontier-overlap',
        `s${previous.number} and s${node.number} overlap in version ${version}`,
        ref,
      )
    // Messages replaced since stood in no other summary.
    else if (countLive(head.replaced, from, node.first - 1) > 0)
      list.add('frontier-gap', `messages before s${node.number} are in no summary of version ${version}`, ref)
    previous = node
  }
  if (previous !== undefined && previous.last >= nextSeq)
    list.add('frontier-end', `version ${version} covers m${previous.last}, which came after it`, ref)
}

function checkCurrent({ head, list }: CheckContext, nodes: readonly SummaryNode[], start: number): void {
  const [oldest] = nodes
  if (oldest !== undefined && oldest.first < start)
    list.add(
      'frontier-start',
      `the frontier begins at m${oldest.first}, not at m${start}`,
      `s${oldest.number}`,
    )
  for (const { number, first, last, messages } of nodes) {
    const live = countLive(head.replaced, first, last)
    if (live !== messages || isReplaced(head.replaced, first) || isReplaced(head.replaced, last))
      list.about(`s${number}`, 'frontier-replaced', 'is in the frontier, but messages of it were replaced')
  }
}

/** The first live message that is no instruction; behind the last one when there is none. */
async function firstCoverable({ session, head }: CheckContext): Promise<number> {
  let first = 0
  while (first < head.nextSeq) {
    // One that cannot be read is a fault of the message, and where a frontier begins cannot be known.
    const found = await readOrReport(
      () => session.messages({ first, limit: 1 }),
      () => {},
    )
    if (found === undefined) return first
    const [message] = found
    if (message === undefined) return head.nextSeq
    if (!isInstructionRole(message.role)) return message.seq
    first = message.seq + 1
  }
  return first
}

/** Every summary is what its hash says, and agrees with the messages or the summaries that it stands for. */
async function checkSummaries(context: CheckContext): Promise<void> {
  const { session, head, list } = context
  const read = async (first: number, last: number) => {
    const nodes = await session.summaries(
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    )
    return new Map(nodes.map((node) => [node.number, node]))
  }
  const report = (number: number, reason: string) =>
    list.about(`s${number}`, 'summary-unreadable', `cannot be read: ${reason}`)
  const range = { first: 1, last: head.nextSummary - 1, page: PAGE }
  for await (const { first, last, found } of readRuns(range, read, report))
    for (let number = first; number <= last; number++) {
      const node = found.get(number)
      if (node !== undefined) await checkSummary(context, node)
      else list.about(`s${number}`, 'summary-missing', 'is not there')
    }
}

async function checkSummary(context: CheckContext, node: SummaryNode): Promise<void> {
  const { number, first, last, messages, text, forgotten } = node
  const { head, list } = context
  const ref = `s${number}`
  if (forgotten !== undefined) {
    if (text !== '') list.about(ref, 'forgotten-content', 'was forgotten, but its text is still there')
  } else if (hashSummary(node) !== node.hash)
    list.about(ref, 'summary-hash', 'is not what was stored: its hash is another')
  if (first < 0 || last < first || last >= head.nextSeq || messages < 1) {
    list.about(ref, 'summary-empty', 'covers nothing, or messages that are not there')
    return
  }
  // Messages replaced after it was written are covered; those replaced before are not.
  if (messages > last - first + 1 || messages < countLive(head.replaced, first, last))
    list.about(ref, 'summary-count', `does not cover ${messages} messages between m${first} and m${last}`)
  if (node.children.length === 0) await checkLeaf(context, node)
  else await checkCondensed(context, node)
}

async function checkLeaf({ session, list }: CheckContext, node: SummaryNode): Promise<void> {
  const { number, depth, first, last, from, to } = node
  const ref = `s${number}`
  if (depth !== 0) list.about(ref, 'summary-depth', `has no children, but a depth of ${depth}`)
  for (const [seq, at] of [
    [first, from],
    [last, to],
  ] as const) {
    // One that cannot be read is a fault of the message.
    const query = { first: seq, last: seq, limit: 1, includeReplaced: true }
    const found = await readOrReport(
      () => session.messages(query),
      () => {},
    )
    if (found === undefined || found.length === 0) continue
    if (found[0]?.at !== at) list.about(ref, 'summary-time', `has another time than m${seq}`)
  }
}

async function checkCondensed({ session, head, list }: CheckContext, node: SummaryNode): Promise<void> {
  const ref = `s${node.number}`
  const found = await readOrReport(
    () => session.summaries(node.children),
    () => {},
  )
  // One that cannot be read is reported where it stands.
  if (found === undefined) return
  const dangling = node.children.find((child) => !found.some(({ number }) => number === child))
  if (dangling !== undefined) {
    list.about(ref, 'summary-dangling', `condenses s${dangling}, which is not there`)
    return
  }
  if (node.children.some((child) => child >= node.number))
    list.about(ref, 'summary-cycle', 'condenses a summary that is not older than itself')
  for (const [index, child] of found.entries()) {
    const next = found[index + 1]
    if (next === undefined) break
    if (next.first <= child.last || countLive(head.replaced, child.last + 1, next.first - 1) > 0)
      list.add(
        'summary-children',
        `s${child.number} and s${next.number} under s${node.number} are no run`,
        ref,
      )
  }
  const expected = aggregate(found)
  if (node.depth !== expected.depth)
    list.about(ref, 'summary-depth', `has a depth of ${node.depth}, not ${expected.depth}`)
  if (node.first !== expected.first || node.last !== expected.last)
    list.about(ref, 'summary-range', 'covers another run than its children do')
  if (node.messages !== expected.messages)
    list.about(ref, 'summary-count', `counts ${node.messages} messages, its children ${expected.messages}`)
  if (node.from !== expected.from || node.to !== expected.to)
    list.about(ref, 'summary-time', 'has another time than its children')
}

/** The values of a summary over these children. */
function aggregate(children: readonly SummaryNode[]) {
  const [oldest, newest] = [children[0], children.at(-1)]
  return {
    depth: Math.max(...children.map(({ depth }) => depth)) + 1,
    messages: children.reduce((sum, { messages }) => sum + messages, 0),
    ...{ first: oldest?.first, last: newest?.last, from: oldest?.from, to: newest?.to },
  }
}

interface CheckContext {
  readonly session: LcmSession
  readonly head: SessionHead
  readonly list: FaultList
}

/**
 * Every message is in its place and agrees with its hash, and its searchable text with its content.
 *
 * @param onMessages Called with the number of messages checked since.
 */
async function checkMessages(context: CheckContext, onMessages: (count: number) => void): Promise<void> {
  const { session, head, list } = context
  const read = async (first: number, last: number) => {
    const query = { first, last, limit: last - first + 2, includeReplaced: true }
    const messages = await session.messages(query)
    const rows = await session.candidates({ ...query, where: [], order: 'oldest' })
    return { messages, texts: new Map(rows.map(({ seq, text }) => [seq, text])) }
  }
  const lost: Lost[] = []
  const report = (seq: number, reason: string) => {
    lost.push({ seq, reason })
    onMessages(1)
  }
  const range = { first: 0, last: head.nextSeq - 1, page: PAGE }
  for await (const { first, last, found } of readRuns(range, read, report)) {
    checkNumbers(found.messages, first, last, { list, lost })
    for (const message of found.messages) checkMessage(context, message, found.texts.get(message.seq))
    onMessages(last - first + 1)
  }
  addLost(list, lost)
}

function checkNumbers(
  messages: readonly StoredMessage[],
  first: number,
  last: number,
  { list, lost }: { readonly list: FaultList; readonly lost: Lost[] },
): void {
  let expected = first
  for (const { seq } of messages) {
    const ref = `m${seq}`
    if (seq < expected || seq > last) list.about(ref, 'message-order', 'comes twice or out of order')
    for (; expected < seq && expected <= last; expected++) lost.push({ seq: expected })
    expected = Math.max(expected, seq + 1)
  }
  for (; expected <= last; expected++) lost.push({ seq: expected })
}

function checkMessage({ head, list }: CheckContext, message: StoredMessage, text: string | undefined): void {
  const { seq, json, replaced, forgotten } = message
  const ref = `m${seq}`
  if (replaced !== isReplaced(head.replaced, seq))
    list.about(ref, 'message-replaced', 'says another thing about being replaced than the session does')
  if (forgotten !== undefined) {
    if (json !== '' || (text ?? '') !== '')
      list.about(ref, 'forgotten-content', 'was forgotten, but content of it is still there')
  } else if (hash('sha256', json) !== message.hash)
    list.about(ref, 'message-hash', 'is not what was stored: its hash is another')
  else checkEncoding(message, text, list)
}

function checkEncoding(
  { seq, json, role, tokens }: StoredMessage,
  text: string | undefined,
  list: FaultList,
): void {
  const ref = `m${seq}`
  let encoded: EncodedMessage
  try {
    encoded = encodeMessage(JSON.parse(json) as Message, tokens)
  } catch {
    list.about(ref, 'message-json', 'is no JSON')
    return
  }
  if (encoded.role !== role)
    list.about(ref, 'message-role', `is stored as ${role}, but it is ${encoded.role}`)
  if (text === undefined) list.about(ref, 'message-unsearchable', 'is not there for searches')
  else if (text !== encoded.text)
    list.add('message-text', `searches read another text of m${seq} than it has`, ref)
}

/** A message that is not there, or cannot be read for a reason. */
interface Lost {
  readonly seq: number
  readonly reason?: string
}

/** One fault for each run that is lost in the same way: a damaged page takes many neighbours along. */
function addLost(list: FaultList, lost: readonly Lost[]): void {
  for (let start = 0; start < lost.length; ) {
    const { seq: first, reason } = lost[start] as Lost
    let end = start + 1
    while (lost[end]?.seq === first + end - start && lost[end]?.reason === reason) end++
    const count = end - start
    const ref = rangeRef(first, first + count - 1)
    const subject = count === 1 ? ref : `${ref} (${count} messages)`
    const missing = `${subject} ${count === 1 ? 'is' : 'are'} not there`
    if (reason === undefined) list.add('message-missing', missing, ref)
    else list.add('message-unreadable', `${subject} cannot be read: ${reason}`, ref)
    start = end
  }
}

export interface VerifyProgress {
  readonly sessions: number
  readonly messages: number
  /** All that there are. */
  readonly of: { readonly sessions: number; readonly messages: number }
}

/**
 * Proves every session of a store, and asks the store for its own faults.
 *
 * @returns the faults; empty when all is proved.
 * @throws StoreError when the store cannot be read at all.
 */
export async function verifyStore(
  store: LcmStore,
  { onProgress = () => {} }: { readonly onProgress?: (progress: VerifyProgress) => void } = {},
): Promise<StoreFault[]> {
  const faults = await store.check()
  const of = { sessions: 0, messages: 0 }
  for await (const { messages } of listSessions(store)) {
    of.sessions++
    of.messages += messages
  }
  const done = { sessions: 0, messages: 0 }
  const report = (sessions: number, messages: number) => {
    done.sessions += sessions
    done.messages += messages
    onProgress({ ...done, of })
  }

  for await (const info of listSessions(store)) {
    faults.push(...(await verifyListed(store, info, (count) => report(0, count))))
    report(1, 0)
  }
  return faults
}

async function verifyListed(
  store: LcmStore,
  { principal, key }: SessionInfo,
  onMessages: (count: number) => void,
): Promise<StoreFault[]> {
  const broken: StoreFault[] = []
  const verify = async () => {
    const session = await store.find({ principal, key })
    return session === null ? [] : verifySession(session, { onMessages })
  }
  const report = (reason: string) => {
    const message = `the session ${key} cannot be read: ${reason}`
    broken.push({ code: 'session-unreadable', message, principal, key, repairable: false })
  }
  return (await readOrReport(verify, report)) ?? broken
}

/** Faults of one session that are listed. A store in ruins must not fill the memory too. */
const MAX_FAULTS = 1_000

interface FaultList {
  readonly faults: readonly StoreFault[]
  /** `sentence` says it to a person; `ref` is what it is about, such as `m57`. */
  add(code: string, sentence: string, ref?: string): void
  /** The same for a sentence that begins with what it is about. */
  about(ref: string, code: string, rest: string): void
}

function createFaultList({ principal, key }: Pick<LcmSession, 'principal' | 'key'>): FaultList {
  const faults: StoreFault[] = []
  const push = (code: string, message: string, ref?: string) =>
    faults.push({ code, message, principal, key, ...(ref !== undefined && { ref }), repairable: false })
  const add: FaultList['add'] = (code, sentence, ref) => {
    if (faults.length < MAX_FAULTS) push(code, sentence, ref)
    else if (faults.length === MAX_FAULTS) push('more-faults', `there are more than ${MAX_FAULTS} faults`)
  }
  return { faults, add, about: (ref, code, rest) => add(code, `${ref} ${rest}`, ref) }
}

/**
 * The value of a read; undefined, and reported, when what is stored is at fault. An unreadable store is no fault of
 * one row.
 */
async function readOrReport<T>(
  read: () => Promise<T>,
  report: (reason: string) => void,
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (StoreError.isInstance(error) && OF_THE_STORE.has(error.code)) throw error
    report(errorText(error))
    return undefined
  }
}

const OF_THE_STORE: ReadonlySet<string> = new Set([
  'STORE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_CLOSED',
  'STORE_TOO_NEW',
])

/**
 * Reads numbered rows in runs of a page at most. A run that cannot be read is halved until the row is found that is
 * to blame; that one is reported, and the others are read.
 */
async function* readRuns<T>(
  { first, last, page }: SeqRange & { readonly page: number },
  read: (first: number, last: number) => Promise<T>,
  report: (number: number, reason: string) => void,
): AsyncGenerator<SeqRange & { readonly found: T }> {
  for (let start = first; start <= last; start += page) {
    const end = Math.min(start + page - 1, last)
    let reason = ''
    const found = await readOrReport(
      () => read(start, end),
      (text) => {
        reason = text
      },
    )
    if (found !== undefined) yield { first: start, last: end, found }
    else if (start === end) report(start, reason)
    else yield* readRuns({ first: start, last: end, page: Math.ceil((end - start + 1) / 2) }, read, report)
  }
}
