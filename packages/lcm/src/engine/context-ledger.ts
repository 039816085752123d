import {
  type Clock,
  createSerialQueue,
  InvalidMessagesError,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { type HeldList, heldBefore, heldFrom, heldFromSeq, joinHeld, NOTHING_HELD } from './held-list.ts'
import { lastLive, liveSeqs } from './live-seqs.ts'
import { loadWindowBefore } from './load-window.ts'
import { type ListMatch, matchHeld } from './match-list.ts'
import { matchTold, type ToldMessage, toTold } from './match-told.ts'
import { matchTranscript } from './match-transcript.ts'
import { settled } from './settled.ts'
import { createSystemPrompts } from './system-prompts.ts'
import { type ContextWindow, isUserTurn, showsCovered, windowBefore } from './window.ts'
import { createWindowKeeper, type WindowKeeper } from './window-keeper.ts'
import { type NewMessage, readNewMessages } from './window-message.ts'

/** A list that the host wants compacted, as far as the session knows it. */
export interface TakenList {
  /** The active context, up to where the list goes. Undefined when the store had to be asked and did not answer. */
  readonly window?: ContextWindow
  /** Why the store could not be read or written. */
  readonly failure?: unknown
  /** True for a list that ends before what was summarised since: it can be shown with those summaries only. */
  readonly isPast?: boolean
  /** True for a list with messages that summaries stand for already: those of before a start, or of another worker. */
  readonly isBehind?: boolean
}

/** Which of the host's messages are which in the session. Calls run one after the other. */
export interface ContextLedger extends Pick<WindowKeeper, 'window' | 'epoch' | 'unsaved' | 'isDetached'> {
  /** Reads the session, if it was not read before. Rejects with the store's error. */
  load(): Promise<void>
  /** Takes over new messages of the host's transcript. Rejects with the store's error after keeping them. */
  ingest(messages: readonly Message[], from: number): Promise<void>
  /** Takes over what is new in a list that is to be compacted. Rejects for a bad list only. */
  take(list: readonly Message[]): Promise<TakenList>
  /** Remembers the list that the host will come back with; `nextSeq` is where it ends. */
  hold(list: HeldList, nextSeq: number): void
  /**
   * Puts a new frontier in force, unless the epoch is another one than it was made in. Returns the store's error, if it
   * failed, for a warning.
   */
  adopt(epoch: number, ...frontier: Parameters<WindowKeeper['adopt']>): Promise<unknown>
  /** Writes what could not be written before. Rejects with the store's error. */
  flush(): Promise<void>
  /** Stores the system prompt of a request when it is another one than is known. Never rejects. */
  noteSystem(messages: readonly Message[]): Promise<void>
  /** How many messages a host's first list after a start replaced, since this was asked last. */
  takeReplaced(): number
  /** Everything so far is replaced: a new conversation begins. */
  reset(): Promise<void>
}

export interface ContextLedgerInput {
  readonly open: () => Promise<LcmSession>
  readonly tokens: TokenCounter
  readonly clock: Clock
}

export function createContextLedger({ open, tokens, clock }: ContextLedgerInput): ContextLedger {
  const enqueue = createSerialQueue()
  const keeper = createWindowKeeper(open, clock)
  const systems = createSystemPrompts(keeper, tokens)
  /** The host's transcript. */
  let told: ToldMessage[] = []
  /** So many of them the host said itself; the others are stored from before a start, and it may say them yet. */
  let certain = 0
  let replacedAtStart = 0
  /** What the host is expected to come with; undefined until its first list after a start. */
  let held: HeldList | undefined = NOTHING_HELD

  const load = async (): Promise<void> => {
    const again = await keeper.load()
    if (again === undefined) return
    const { leading, nodes, tail } = keeper.window
    const before = held
    held = nodes.length > 0 ? undefined : heldFrom([...leading, ...tail])
    told = []
    certain = 0
    if (again.length === 0) return
    const failure = await settled(accept(again, 0))
    // What the host was shown meanwhile has the numbers that messages had then: their places in what is told again.
    if (before !== undefined && told.length > 0)
      held = { ...before, seqs: before.seqs.map((seq) => (seq === null ? null : (told[seq]?.seq ?? null))) }
    if (failure !== undefined) throw failure
  }

  const accept = async (list: readonly NewMessage[], from: number): Promise<void> => {
    const isRestart = told.length === 0 && from === 0 && keeper.window.nextSeq > 0
    const match = isRestart
      ? await matchTranscript(await open(), keeper.window, list)
      : await matchTold(list, told.slice(from), open)
    const isKnown = match.seqs.length === list.length
    const end = from + list.length
    // What stands behind a list is replaced only if the host said it: after a start it may tell its history in parts.
    const isPart = isKnown && (isRestart ? match.replaceFrom === undefined : end >= certain)
    if (isRestart && match.replaceFrom !== undefined)
      replacedAtStart = liveSeqs(keeper.window).length - match.seqs.length
    const failure = await join(list, isPart ? { seqs: match.seqs } : match)
    const seqs = [...match.seqs, ...newSeqs(list.length - match.seqs.length)]
    const rest = isPart ? toldBehind(end, seqs) : []
    tell(from, [...toTold(list, seqs), ...rest])
    certain = isPart ? Math.max(certain, end) : end
    if (isRestart) held = rest.length > 0 ? undefined : { messages: list.map(({ message }) => message), seqs }
    if (failure !== undefined) throw failure
  }

  /** What the transcript says from an index on. One by one: a history is longer than a call may have arguments. */
  const tell = (from: number, messages: readonly ToldMessage[]): void => {
    told.length = from
    for (const message of messages) told.push(message)
  }

  /** What is stored behind a part of the history that the host told again. */
  const toldBehind = (end: number, seqs: readonly (number | null)[]): ToldMessage[] => {
    if (told.length > 0) return told.slice(end)
    const last = seqs.findLast((seq) => seq !== null) ?? -1
    return liveSeqs(keeper.window).flatMap((seq) => (seq > last ? [{ seq }] : []))
  }

  /**
   * Brings the session in line with a list: cuts what the host took back, appends what it added. Returns the store's
   * error when what was added is in memory only; a cut that cannot be written is not made.
   */
  const join = async (list: readonly NewMessage[], { seqs, replaceFrom }: ListMatch): Promise<unknown> => {
    const fresh = list.slice(seqs.length)
    let failure: unknown
    if (replaceFrom === undefined) failure = await settled(keeper.append(fresh))
    else await keeper.replace(replaceFrom, fresh)
    if (held !== undefined && replaceFrom !== undefined) held = heldBefore(held, replaceFrom)
    if (held !== undefined)
      held = joinHeld(held, { messages: fresh.map(({ message }) => message), seqs: newSeqs(fresh.length) })
    return failure
  }

  const newSeqs = (count: number): number[] =>
    Array.from({ length: count }, (_, index) => keeper.window.nextSeq - count + index)

  const take = async (list: readonly Message[]): Promise<TakenList> => {
    const fresh = readNewMessages(list, tokens)
    const messages = fresh.map(({ message }) => message)
    const failure = await settled(load())
    if (failure === undefined) await systems.note(list)
    try {
      const match =
        (held && matchHeld(messages, held, held.seqs.lastIndexOf(null) + 1)) ??
        (await matchTranscript(await open(), keeper.window, fresh))
      const { seqs, replaceFrom } = match
      if (seqs.length === fresh.length && replaceFrom === undefined)
        return { ...(await rejoinHeld(messages, seqs)), isBehind: showsCovered(keeper.window, seqs), failure }
      held = { messages: messages.slice(0, seqs.length), seqs }
      const failed = await join(fresh, match)
      const last = seqs.findLast((seq) => seq !== null) ?? -1
      const at = told.findIndex(({ seq }) => seq !== null && seq >= (replaceFrom ?? last + 1))
      const added = fresh.slice(seqs.length)
      tell(at === -1 ? told.length : at, toTold(added, newSeqs(added.length)))
      certain = told.length
      return {
        window: keeper.window,
        isBehind: showsCovered(keeper.window, seqs),
        failure: failed ?? failure,
      }
    } catch (error) {
      if (!StoreError.isInstance(error)) throw error
      return { failure: failure ?? error }
    }
  }

  /** What is stored behind a list has to be known to be expected: else the next list is compared with the store. */
  const hold = (list: HeldList, nextSeq: number): void => {
    if (nextSeq > lastLive(keeper.window)) held = list
    else if (held !== undefined) held = joinHeld(list, heldFromSeq(held, nextSeq))
  }

  /** The host holds this list. When it is an older one, what came in since stays expected behind it. */
  const rejoinHeld = async (
    messages: readonly Message[],
    seqs: readonly (number | null)[],
  ): Promise<TakenList> => {
    const { window } = keeper
    const nextSeq = (seqs.findLast((seq) => seq !== null) ?? -1) + 1
    hold({ messages, seqs }, nextSeq)
    if (nextSeq > lastLive(window)) return { window }
    const covered = window.nodes.at(-1)?.last ?? -1
    const { tail } = windowBefore(window, nextSeq)
    if (nextSeq > covered && (window.nodes.length === 0 || tail.some(isUserTurn)))
      return { window: { ...window, nextSeq, tail } }
    return { window: await loadWindowBefore(await open(), window, nextSeq), isPast: true }
  }

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
    load: () => enqueue(load),
    ingest: (messages, from) =>
      enqueue(async () => {
        const list = readNewMessages(messages, tokens)
        const failure = await settled(load())
        // A host that goes on with a restored session need not tell it all again.
        if (told.length === 0 && from > 0) {
          told = liveSeqs(keeper.window).map((seq) => ({ seq }))
          certain = told.length
        }
        if (failure !== undefined && from > told.length) throw failure
        if (!Number.isInteger(from) || from < 0 || from > told.length)
          throw new InvalidMessagesError(
            `ingest began at message ${String(from)}, but ${told.length} messages were ingested so far`,
          )
        if (failure === undefined && from === 0) await systems.note(messages)
        await accept(list, from)
        if (failure !== undefined) throw failure
      }),
    noteSystem: (messages) => enqueue(() => systems.note(messages)),
    takeReplaced() {
      const count = replacedAtStart
      replacedAtStart = 0
      return count
    },
    take: (list) => enqueue(() => take(list)),
    hold,
    adopt: (epoch, ...frontier) =>
      enqueue(async () => (keeper.epoch === epoch ? settled(keeper.adopt(...frontier)) : undefined)),
    flush: () =>
      enqueue(async () => {
        if (keeper.unsaved > 0) await load()
        await keeper.append([])
      }),
    reset: () =>
      enqueue(async () => {
        await load()
        told = []
        certain = 0
        held = NOTHING_HELD
        if (keeper.window.nextSeq > 0) await keeper.replace(0, [])
      }),
  }
}
