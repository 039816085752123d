import {
  type Clock,
  createSerialQueue,
  InvalidMessagesError,
  isInstruction,
  isSummary,
  type Message,
  type Origin,
  repairMessages,
  type TokenCounter,
} from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import { liveSeqs, previousLive } from '../history/replaced-ranges.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { loadWindowBefore } from './load-window.ts'
import { coveredBy, type ListMatch, matchList, type ShownSummary } from './match-list.ts'
import { createToldTranscript, type ToldTranscript } from './told-transcript.ts'
import {
  type ContextWindow,
  isUserTurn,
  type NewMessage,
  readNewMessages,
  type WindowMessage,
  windowBefore,
} from './window.ts'
import { WindowKeeper } from './window-keeper.ts'

/** A list that the host wants compacted, as far as the session knows it. */
export interface TakenList {
  /** The active context, up to where the list goes. Undefined when the store had to be asked and did not answer. */
  readonly window?: ContextWindow
  readonly failure?: unknown
  /**
   * `behind`: the list shows messages that summaries stand for already, as after a restart, or when another worker wrote
   * them. `past`: it ends before what was summarised since, and can be shown with those summaries only.
   */
  readonly place?: 'current' | 'behind' | 'past'
}

/** Which of the host's messages are which in the session. Calls run one after the other. */
export interface ContextLedger extends Pick<WindowKeeper, 'window' | 'epoch' | 'unsaved' | 'isDetached'> {
  /** Reads the session, if it was not read before. Rejects with the store's error. */
  load(): Promise<void>
  /** Takes over new messages of the host's transcript. Rejects with the store's error after keeping them. */
  ingest(messages: readonly Message[], from: number): Promise<void>
  /**
   * Says where a list stands that is to be compacted. Without origins it is compared with what is expected, and what is new
   * in it is taken over. Rejects for a bad list only.
   */
  take(list: readonly Message[], origins: readonly Origin[] | undefined): Promise<TakenList>
  /** The index in the host's transcript of the first message that no summary stands for. */
  firstRaw(): number
  /** The numbers of messages with these origins; undefined when one is not known. */
  seqsOf: ToldTranscript['seqsOf']
  /** Remembers what a host without origins will come back with. */
  showed(messages: readonly Message[], shown: ContextWindow): void
  /**
   * Puts a new frontier in force, unless the epoch is another one than it was made in. Returns the store's error, if it
   * failed, for a warning.
   */
  adopt(epoch: number, ...frontier: Parameters<WindowKeeper['adopt']>): Promise<unknown>
  /** Writes what could not be written before. Rejects with the store's error. */
  flush(): Promise<void>
  /** Stores the system prompt of a request when it is another one than is known. Never rejects. */
  noteSystem(messages: readonly Message[]): Promise<void>
  /** Messages that a host's first list after a start replaced, since the last call. None for a turn that was cut off and is told again. */
  takeReplaced(): number
  /** Everything so far is replaced: a new conversation begins. */
  reset(): Promise<void>
}

interface ContextLedgerInput {
  readonly open: () => Promise<LcmSession>
  readonly tokens: TokenCounter
  readonly clock: Clock
}

interface LedgerState {
  readonly open: () => Promise<LcmSession>
  readonly tokens: TokenCounter
  readonly keeper: WindowKeeper
  readonly systems: SystemPrompts
  readonly told: ToldTranscript
  shown: ShownSummary | undefined
  replacedAtStart: number
}

export function createContextLedger({ open, tokens, clock }: ContextLedgerInput): ContextLedger {
  const enqueue = createSerialQueue()
  const keeper = new WindowKeeper(open, clock)
  const systems = createSystemPrompts(keeper, tokens)
  const told = createToldTranscript(open)
  const state: LedgerState = { open, tokens, keeper, systems, told, shown: undefined, replacedAtStart: 0 }
  return {
    get window() {
      return keeper.window
    },
    get epoch() {
      return keeper.epoch
    },
    get unsaved() {
      return keeper.unsaved
    },
    get isDetached() {
      return keeper.isDetached
    },
    load: () => enqueue(() => load(state)),
    ingest: (messages, from) => enqueue(() => ingest(state, messages, from)),
    noteSystem: (messages) => enqueue(() => systems.note(messages)),
    takeReplaced() {
      const count = state.replacedAtStart
      state.replacedAtStart = 0
      return count
    },
    take: (list, origins) => enqueue(() => take(state, list, origins)),
    seqsOf: told.seqsOf,
    firstRaw: () => told.indexBehind(keeper.window.nodes.at(-1)?.last ?? -1),
    showed(messages, { nodes }) {
      const message = messages.find(isSummary)
      const covered = nodes.at(-1)?.last
      state.shown = message && covered !== undefined ? { message, covered } : undefined
    },
    adopt: (epoch, ...frontier) =>
      enqueue(async () => (keeper.epoch === epoch ? rejection(keeper.adopt(...frontier)) : undefined)),
    flush: () =>
      enqueue(async () => {
        if (keeper.unsaved > 0) await load(state)
        await keeper.append([])
      }),
    reset: () =>
      enqueue(async () => {
        await load(state)
        told.clear()
        state.shown = undefined
        if (keeper.window.nextSeq > 0) await keeper.replace(0, [])
      }),
  }
}

async function load(state: LedgerState): Promise<void> {
  const { keeper, told } = state
  const again = await keeper.load()
  if (again === undefined) return
  told.clear()
  const { shown } = state
  state.shown = undefined
  if (again.length === 0) return
  const failure = await rejection(accept(state, again, 0))
  // The summary was written when messages had other numbers: their places in what is told again.
  const covered = shown && (told.seqAt(shown.covered) ?? (await coveredByEarlier(state, again, shown)))
  if (shown && typeof covered === 'number') state.shown = { ...shown, covered }
  if (failure !== undefined) throw failure
}

/** A summary that ends with an earlier one, which has no number: it stands for what that one stands for. */
function coveredByEarlier(
  { open, keeper }: LedgerState,
  list: readonly NewMessage[],
  { covered }: ShownSummary,
): Promise<number | undefined> | undefined {
  const earlier = list.slice(0, covered + 1).findLast(({ message }) => isSummary(message))
  return earlier && coveredBy({ open, window: keeper.window }, earlier.message)
}

async function ingest(state: LedgerState, messages: readonly Message[], from: number): Promise<void> {
  const { keeper, told, systems, tokens } = state
  const list = readNewMessages(messages, tokens)
  const failure = await rejection(load(state))
  // A host that goes on with a restored session need not tell it all again.
  if (told.length === 0 && from > 0) told.tell(0, [], { seqs: liveSeqs(keeper.window) })
  if (failure !== undefined && from > told.length) throw failure
  if (!Number.isInteger(from) || from < 0 || from > told.length)
    throw new InvalidMessagesError(
      `ingest began at message ${String(from)}, but ${told.length} messages were ingested so far`,
    )
  if (failure === undefined && from === 0) await systems.note(messages)
  await accept(state, list, from)
  if (failure !== undefined) throw failure
}

/** True when nothing but the last turn stands from a message on. */
function isLastTurn({ nodes, tail }: ContextWindow, from: number): boolean {
  const turns = tail.filter((one) => one.seq >= from && isUserTurn(one))
  return turns.length <= 1 && (nodes.at(-1)?.last ?? -1) < from
}

async function accept(state: LedgerState, list: readonly NewMessage[], from: number): Promise<void> {
  const { keeper, told, open } = state
  const isRestart = told.length === 0 && from === 0 && keeper.window.nextSeq > 0
  told.doubt(from)
  const match = isRestart
    ? await matchList({ open, window: keeper.window, list })
    : await told.match(list, from)
  const isKnown = match.seqs.length === list.length
  // Messages behind a list are replaced only if the host told them: after a start it may tell its history in parts.
  const isPart = isKnown && (isRestart ? match.replaceFrom === undefined : from + list.length >= told.said)
  if (isRestart && match.replaceFrom !== undefined && !isLastTurn(keeper.window, match.replaceFrom))
    state.replacedAtStart = liveSeqs(keeper.window).length - match.seqs.length
  const failure = await join(state, list, isPart ? { seqs: match.seqs } : match)
  const known = match.seqs.length
  const seqs = [...match.seqs, ...newSeqs(keeper, list.length - known)]
  // A match is to the last byte for all of its messages, or for none.
  const first = match.stored?.first ?? known
  const stored = keeper.unsaved === 0 ? { first, last: list.length - 1 } : match.stored
  told.tell(from, list, { seqs, ...(stored && { stored }) }, isPart)
  if (isRestart && isPart) {
    const last = told.lastSaid()
    told.expect(liveSeqs(keeper.window).filter((seq) => seq > last))
  }
  if (failure !== undefined) throw failure
}

/**
 * Brings the session in line with a list: cuts what the host took back, appends what it added. Returns the store's
 * error when what was added is in memory only; a cut that cannot be written is not made.
 */
async function join(
  { keeper }: LedgerState,
  list: readonly NewMessage[],
  { seqs, replaceFrom }: ListMatch,
): Promise<unknown> {
  const fresh = list.slice(seqs.length)
  if (replaceFrom === undefined) return rejection(keeper.append(fresh))
  const failure = await rejection(keeper.replace(replaceFrom, fresh))
  if (failure !== undefined && !keeper.isDetached) throw failure
  return failure
}

function newSeqs({ window }: WindowKeeper, count: number): number[] {
  return Array.from({ length: count }, (_, index) => window.nextSeq - count + index)
}

async function take(
  state: LedgerState,
  list: readonly Message[],
  origins: readonly Origin[] | undefined,
): Promise<TakenList> {
  const { told, systems, tokens } = state
  const failure = await rejection(load(state))
  if (failure === undefined) await systems.note(list)
  try {
    const seqs = origins && told.seqsOf(origins)
    // The list stands for all that the host has said, whatever of it was mended.
    if (seqs !== undefined) return { ...(await viewUntil(state, told.lastSaid(), seqs)), failure }
    return await compareAndJoin(state, readNewMessages(list, tokens), failure)
  } catch (error) {
    if (!StoreError.isInstance(error)) throw error
    return { failure: failure ?? error }
  }
}

/** For a host that tells no origins. */
async function compareAndJoin(
  state: LedgerState,
  list: readonly NewMessage[],
  failure: unknown,
): Promise<TakenList> {
  const { keeper, told, open, shown } = state
  const match = await matchList({ open, window: keeper.window, list, shown })
  const { seqs, replaceFrom } = match
  const last = seqs.findLast((seq) => seq !== null) ?? -1
  if (seqs.length === list.length && replaceFrom === undefined)
    return { ...(await viewUntil(state, last, seqs)), failure }
  const failed = await join(state, list, match)
  const added = list.slice(seqs.length)
  told.tell(told.indexFrom(replaceFrom ?? last + 1), added, { seqs: newSeqs(keeper, added.length) })
  const place = showsCovered(keeper.window, seqs) ? 'behind' : 'current'
  return { window: keeper.window, place, failure: failed ?? failure }
}

/** The active context as far as message `last`. `seqs`: what the host's list shows. */
async function viewUntil(
  { keeper: { window }, open }: LedgerState,
  last: number,
  seqs: readonly (number | null)[],
): Promise<TakenList> {
  const place = showsCovered(window, seqs) ? 'behind' : 'current'
  const nextSeq = last + 1
  if (nextSeq > previousLive(window.replaced, window.nextSeq - 1)) return { window, place }
  const covered = window.nodes.at(-1)?.last ?? -1
  const { tail } = windowBefore(window, nextSeq)
  if (nextSeq > covered && (window.nodes.length === 0 || tail.some(isUserTurn)))
    return { window: { ...window, nextSeq, tail }, place }
  return { window: await loadWindowBefore(await open(), window, nextSeq), place: 'past' }
}

/** Whether a list shows messages that summaries stand for. */
function showsCovered({ nodes }: ContextWindow, seqs: readonly (number | null)[]): boolean {
  const covered = nodes.at(-1)?.last ?? -1
  return seqs.some((seq) => seq !== null && seq <= covered)
}

/** The error of a promise that rejects; undefined when it does not. */
function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

/** Messages from the end in which a system prompt that was kept aside before is looked for. */
const LOOK_BACK = 200

/**
 * Keeps the texts that a system prompt had. A host may change it at any time, which is no edit of its history; what the
 * model was told has to be in the store all the same.
 */
interface SystemPrompts {
  /** Stores the instructions that a list begins with, if they are not known. Never rejects: the next request tries again. */
  note(messages: readonly Message[]): Promise<void>
}

/** Several instructions come back as one. */
function hashesOf(leading: readonly WindowMessage[]): string[] {
  const { messages } = repairMessages(leading.map(({ message }) => message))
  return [...leading, ...messages.map((message) => encodeMessage(message, 0))].map(({ hash }) => hash)
}

function createSystemPrompts(keeper: WindowKeeper, tokens: TokenCounter): SystemPrompts {
  /** Hashes of what is stored, and objects that were looked at. */
  let known: Set<string> | undefined
  const seen = new WeakSet<Message>()

  const readKnown = async (): Promise<Set<string>> => {
    const session = await keeper.open()
    const newest = await session.messages({ order: 'newest', limit: LOOK_BACK, includeReplaced: true })
    return new Set(newest.map(({ hash }) => hash))
  }

  return {
    async note(messages) {
      const end = messages.findIndex((message) => !isInstruction(message))
      const leading = messages.slice(0, end === -1 ? messages.length : end)
      // The first ones of a session come as messages of their own.
      if (keeper.window.leading.length === 0 || leading.every((message) => seen.has(message))) return
      try {
        known ??= await readKnown()
        for (const hash of hashesOf(keeper.window.leading)) known.add(hash)
        const fresh = readNewMessages(leading, tokens).filter(({ hash }) => !known?.has(hash))
        if (fresh.length > 0) await keeper.keepAside(fresh)
        for (const { hash } of fresh) known.add(hash)
        for (const message of leading) seen.add(message)
      } catch {
        known = undefined
      }
    },
  }
}
