import { errorText, InvalidMessagesError, PalimpsestError } from '../errors/errors.ts'
import { leadingInstructions } from '../messages/instructions.ts'
import { changedFrom, equalValues, freezeMessage, snapshotMessage } from '../messages/json-value.ts'
import type {
  Clock,
  ConversationLog,
  LogEntry,
  Message,
  StoredMessage,
  StoredSession,
  TokenCounter,
  Warning,
} from '../spec/v1/index.ts'
import { continueAdopted, type HandedOut, matchHostList } from './host-list.ts'
import { assertMessages, snapshot } from './read-host-list.ts'
import { atOnce, createPause, type Sliced } from './scheduling.ts'

export interface LogChange {
  readonly from: number
  readonly taken: readonly Message[]
  readonly added: number
  readonly system?: readonly Message[]
}

interface LogInput {
  readonly tokens: TokenCounter
  readonly clock: Clock
  readonly open?: (() => Promise<StoredSession>) | undefined
}

interface PendingWrite {
  readonly entries: readonly Entry[]
  readonly written?: number
  readonly replaceFrom?: number
  readonly aside?: boolean
}

class Entry implements LogEntry {
  readonly seq: number
  readonly id: string
  readonly said: Message
  readonly message: Message
  readonly at: number
  /** The content was deleted or is damaged: any message that the host sends in its place matches. */
  readonly isLost: boolean
  readonly #counter: TokenCounter
  #tokens: number | undefined

  constructor(
    place: { readonly seq: number; readonly id: string; readonly at: number; readonly isLost?: boolean },
    said: Message,
    counter: TokenCounter,
    tokens?: number,
  ) {
    this.seq = place.seq
    this.id = place.id
    this.at = place.at
    this.isLost = place.isLost ?? false
    this.said = said
    this.message = said.id === place.id ? said : freezeMessage({ ...said, id: place.id })
    this.#counter = counter
    this.#tokens = tokens
  }

  get tokens(): number {
    this.#tokens ??= this.#counter.countMessage(this.message)
    return this.#tokens
  }

  renumbered(seq: number): Entry {
    return new Entry({ seq, id: this.id, at: this.at }, this.said, this.#counter, this.#tokens)
  }
}

/** Messages per transaction: a long history is written in several, so that others are not blocked. */
const BATCH = 200
const PAGE = 2_000

const FORGOTTEN = '(This message was deleted on request.)'
const DAMAGED = '(This message is damaged in the store.)'

export type SessionLog = ReturnType<typeof createConversationLog>

/**
 * Keeps the session's frozen copy of the conversation, with an id per message, and writes it to the store. A host sends
 * its whole history each time, or extends an earlier request; both are recognised by value. A host's edit applies from
 * the first difference on. Failed writes are retried with the next message.
 */
export function createConversationLog({ tokens, clock, open }: LogInput) {
  let entries: Entry[] = []
  let messages: Message[] = []
  let said: Message[] = []
  const places = new Map<string, number>()
  let nextSeq = 0
  let edits = 0
  let handedOut: HandedOut | undefined
  let adopted: HandedOut | undefined
  let head: { readonly nextSeq: number; readonly edits: number } | undefined
  let pending: readonly PendingWrite[] = []
  let detachedAt: number | undefined
  let prompts: readonly Message[] = []

  /** Lists grow in place, because copying a long history takes milliseconds. An edit replaces them. */
  const set = (from: number, next: readonly Entry[]): void => {
    for (const { id } of entries.slice(from)) if ((places.get(id) ?? -1) >= from) places.delete(id)
    if (from < entries.length) {
      entries = entries.slice(0, from)
      messages = messages.slice(0, from)
      said = said.slice(0, from)
    }
    for (const entry of next) place(entry)
  }
  const place = (entry: Entry): void => {
    places.set(entry.id, entries.length)
    entries.push(entry)
    messages.push(entry.message)
    said.push(entry.said)
  }
  const find = (id: string): Entry | undefined => entries[places.get(id) ?? -1]
  /** Ids are assigned before the entries are in place, because two messages of a list may bring the same id. */
  const idOf = (own: unknown, seq: number): string => {
    let id = typeof own === 'string' && own !== '' && !places.has(own) ? own : `m${seq}`
    while (places.has(id)) id = `${id}+`
    places.set(id, -1)
    return id
  }
  function* enter(list: readonly Message[]): Sliced<Entry[]> {
    const at = clock.now()
    const entered: Entry[] = []
    for (const message of list) {
      const seq = nextSeq++
      const entry = new Entry({ seq, id: idOf(message.id, seq), at }, message, tokens)
      place(entry)
      entered.push(entry)
      yield
    }
    return entered
  }
  const wait = (write: PendingWrite): void => {
    if (open !== undefined && detachedAt === undefined) pending = [...pending, write]
  }
  const setPrompt = (system: readonly Message[]): void => {
    const next = system.map((message, index) => {
      const { seq, id, at } = entries[index] as Entry
      return new Entry({ seq, id, at }, message, tokens)
    })
    const rest = entries.slice(next.length)
    set(0, [...next, ...rest])
    const fresh = next.filter((entry) => !prompts.some((known) => equalValues(known, entry.said)))
    if (fresh.length > 0) wait({ entries: fresh.map((entry) => entry.renumbered(nextSeq++)), aside: true })
    prompts = [...prompts, ...fresh.map((entry) => entry.said)]
  }
  function* takeOver(
    from: number,
    added: readonly Message[],
    system: readonly Message[] = [],
  ): Sliced<LogChange> {
    const before = system.length > 0 && { system: messages.slice(0, system.length) }
    if (system.length > 0) setPrompt(system)
    const taken = messages.slice(from)
    const replaceFrom = entries[from]?.seq
    if (taken.length > 0) {
      edits++
      set(from, [])
    }
    const fresh = yield* enter(added)
    if (prompts.length === 0) prompts = said.slice(0, leadingInstructions(said))
    if (replaceFrom !== undefined) wait({ entries: fresh, replaceFrom })
    else if (fresh.length > 0) wait({ entries: fresh })
    return { from, taken, added: added.length, ...before }
  }

  function* reconcile(incoming: readonly Message[]): Sliced<LogChange> {
    assertMessages(incoming, said)
    const match = matchHostList(entries, [handedOut, adopted], incoming)
    const { known, from, systemChanged } = match
    const system = systemChanged ? incoming.slice(0, leadingInstructions(said)).map(snapshot) : []
    const fresh: Message[] = []
    for (let index = known; index < incoming.length; index++) {
      fresh.push(snapshot(incoming[index] as Message, index))
      yield
    }
    adopted = continueAdopted(match, fresh)
    if (from < entries.length) handedOut = undefined
    return yield* takeOver(from, fresh, system)
  }

  const load = async (): Promise<void> => {
    if (open === undefined || head !== undefined) return
    const stored = await readConversation(await open())
    head = stored.head
    prompts = stored.prompts
    const own = entries
    const before = stored.messages
    if (own.length === 0) {
      nextSeq = head.nextSeq
      pending = []
      set(
        0,
        before.map((message) => {
          const { seq, at } = message
          const isLost = message.message === null
          const shown = message.message ?? lostMessage(message.role, message.forgotten !== undefined)
          const place = { seq, at, id: idOf(shown.id, seq), isLost }
          return new Entry(place, snapshotMessage(shown), tokens, isLost ? undefined : message.tokens)
        }),
      )
    } else if (head.nextSeq > 0) {
      const kept = before.map(({ message }) => message as Message)
      const same = changedFrom(kept, said)
      nextSeq = head.nextSeq
      edits++
      set(
        0,
        own.map((entry, index) => entry.renumbered(index < same ? (before[index]?.seq ?? 0) : nextSeq++)),
      )
      const replaceFrom = before[same]?.seq
      pending = [{ entries: entries.slice(same), ...(replaceFrom !== undefined && { replaceFrom }) }]
    }
  }

  const write = async (session: StoredSession): Promise<void> => {
    const pause = createPause()
    for (let next = pending[0]; next !== undefined; next = pending[0]) {
      const { replaceFrom, aside, written: begin = 0 } = next
      const batch = next.entries.slice(begin, begin + BATCH)
      try {
        const written = await session.append({
          nextSeq: batch[0]?.seq ?? head?.nextSeq ?? 0,
          edits: head?.edits ?? 0,
          at: clock.now(),
          messages: batch.map((entry) => ({ message: entry.said, tokens: entry.tokens, at: entry.at })),
          ...(replaceFrom !== undefined && { replaceFrom }),
          ...(aside && { aside }),
        })
        head = { nextSeq: written.nextSeq, edits: written.edits }
        dropWritten(batch.length)
      } catch (error) {
        if (!isConflict(error)) throw error
        await rejoin(session, error)
      }
      // An in-process store never yields; let other tasks run.
      if (pending.length > 0) await pause()
    }
  }
  const dropWritten = (count: number): void => {
    const [first, ...rest] = pending
    if (first === undefined) return
    const { entries, aside } = first
    const written = (first.written ?? 0) + count
    pending = written < entries.length ? [{ entries, written, ...(aside && { aside }) }, ...rest] : rest
  }
  /** Another process wrote. If its messages are equal, both continue. */
  const rejoin = async (session: StoredSession, cause: unknown): Promise<void> => {
    const now = await session.head()
    const mine = pending.flatMap(unwritten)
    const first = mine[0]?.seq ?? nextSeq
    const theirs = await session.messages({ first, includeReplaced: true, limit: Math.max(1, mine.length) })
    const isSame =
      theirs.length > 0 &&
      now.edits === head?.edits &&
      pending.every(({ replaceFrom }) => replaceFrom === undefined) &&
      theirs.every(({ message }, index) => equalValues(message, mine[index]?.said))
    if (!isSame) {
      detachedAt = Math.min(first, ...pending.flatMap(({ replaceFrom = first }) => replaceFrom))
      pending = []
      throw new PalimpsestError('STORE_CONFLICT', DETACHED, { cause })
    }
    head = { nextSeq: first + theirs.length, edits: now.edits }
    for (let left = theirs.length; left > 0; ) {
      const count = Math.min(left, pending[0] === undefined ? left : unwritten(pending[0]).length)
      dropWritten(count)
      left -= count
    }
  }

  return {
    get entries(): readonly LogEntry[] {
      return entries
    },
    get messages(): readonly Message[] {
      return messages
    },
    get said(): readonly Message[] {
      return said
    },
    get edits() {
      return edits
    },
    get isDetached() {
      return detachedAt !== undefined
    },
    get unsaved() {
      const [next] = pending
      const first = detachedAt ?? next?.entries[next.written ?? 0]?.seq
      return first === undefined ? 0 : entries.length - 1 - entries.findLastIndex(({ seq }) => seq < first)
    },
    find,
    async open(): Promise<StoredSession> {
      if (open === undefined)
        throw new PalimpsestError('NO_STORE', 'this session has no store; pass one to createContextSession')
      const session = await open()
      await load()
      return session
    },
    /**
     * Compares a host's list with the log and adds new messages. The list must not change until then.
     *
     * @throws InvalidMessagesError; the log is then unchanged.
     */
    *reconcile(incoming: readonly Message[]): Sliced<LogChange> {
      try {
        return yield* reconcile(incoming)
      } catch (error) {
        if (PalimpsestError.isInstance(error)) throw error
        // A getter of the host threw, or the nesting exceeds the stack.
        throw new InvalidMessagesError(`the messages cannot be read: ${errorText(error)}`, { cause: error })
      }
    },
    append: (added: readonly Message[]) => atOnce(takeOver(entries.length, added.map(snapshot))),
    /** Writes pending messages. Never rejects; returns warnings. */
    async save(): Promise<readonly Warning[]> {
      if (open === undefined) return []
      if (detachedAt !== undefined) return [{ code: 'store-conflict', message: DETACHED }]
      try {
        const session = await open()
        await load()
        await write(session)
        return []
      } catch (error) {
        if (detachedAt !== undefined) return [{ code: 'store-conflict', message: DETACHED }]
        const count = pending.flatMap(unwritten).length
        const rest =
          count === 0 ? '' : `; ${count} messages are in memory only and are written as soon as it works`
        return [{ code: 'store-unavailable', message: `the store failed: ${errorText(error)}${rest}` }]
      }
    },
    clear(): void {
      if (entries.length > 0) atOnce(takeOver(0, []))
      handedOut = undefined
      adopted = undefined
      prompts = []
    },
    handOut(request: readonly Message[]): void {
      const isShared = (back: number) => equalValues(request.at(-1 - back), said.at(-1 - back))
      let tail = 0
      while (tail < Math.min(request.length, said.length) && isShared(tail)) tail++
      handedOut = { messages: request, tail, at: said.length }
    },
    bare(message: Message): Message {
      if (message.id === undefined) return message
      const entry = find(message.id)
      if (entry === undefined) return withoutId(message, undefined)
      if (entry.message === message) return entry.said
      return entry.said.id === message.id ? message : withoutId(message, entry.said.id)
    },
    indexOf: ({ id }: Message): number => (id === undefined ? -1 : (places.get(id) ?? -1)),
  } satisfies ConversationLog & Record<string, unknown>
}

function unwritten({ entries, written }: PendingWrite): readonly Entry[] {
  return entries.slice(written)
}

const DETACHED =
  'another process goes on with this session and said something else; what this one says stays in memory: begin a session of another id to store it'

function isConflict(error: unknown): boolean {
  return PalimpsestError.isInstance(error) && error.code === 'STORE_CONFLICT'
}

const bareForms = new WeakMap<Message, Message>()

function withoutId(message: Message, own: string | undefined): Message {
  const known = bareForms.get(message)
  if (known !== undefined) return known
  const { id: _, ...rest } = message
  const bare = freezeMessage({ ...rest, ...(own !== undefined && { id: own }) } as Message)
  bareForms.set(message, bare)
  return bare
}

const ATTEMPTS = 5
const LOOK_BACK = 200

async function readConversation(session: StoredSession) {
  for (let attempt = 1; ; attempt++) {
    const head = await session.head()
    const messages: StoredMessage[] = []
    const pause = createPause()
    for (let first = 0; ; first = (messages.at(-1)?.seq ?? 0) + 1) {
      const page = await session.messages({ first, limit: PAGE })
      messages.push(...page)
      await pause()
      if (page.length < PAGE) break
    }
    const newest = await session.messages({ order: 'newest', limit: LOOK_BACK, includeReplaced: true })
    const isPrompt = ({ role }: StoredMessage) => role === 'system' || role === 'developer'
    const prompts = [...messages.slice(0, LOOK_BACK), ...newest].filter(isPrompt)
    const { nextSeq, edits } = await session.head()
    if ((nextSeq === head.nextSeq && edits === head.edits) || attempt === ATTEMPTS)
      return { head, messages, prompts: prompts.flatMap(({ message }) => message ?? []) }
  }
}

/**
 * Replaces a message whose content was deleted or damaged. The form of a call or result is lost, so it becomes an
 * assistant text.
 */
export function lostMessage(role: string, isForgotten: boolean): Message {
  const shown = role === 'user' || role === 'system' || role === 'developer' ? role : 'assistant'
  return { role: shown, content: isForgotten ? FORGOTTEN : DAMAGED }
}
