import type { Message } from '@palimpsest/core'
import { putNewest } from '../put-newest.ts'
import { type Checkpoint, knownLength, type PrefixHashes } from './prefix-hashes.ts'

/** The record by which a conversation is recognised. */
export interface KnownConversation {
  /** A hash of the client's credentials. */
  readonly owner: string
  /** Its id for clients. */
  readonly name: string
  /** True if its client named it; it is then not recognised by its list. */
  readonly isNamed: boolean
  /** Grows with each request: saving with an earlier one is refused. */
  readonly token: number
  /** The client's current list, as far as it is known. */
  readonly checkpoint: Checkpoint
}

/** The state after a request. */
export type ConversationChange = Pick<KnownConversation, 'checkpoint'> & {
  /** The hidden answers of the whole list. */
  readonly hidden: HiddenAnswers
}

/**
 * An index of recognisable conversations, for one process or several. Rejects with its store's errors. Operations are
 * idempotent.
 */
export interface ConversationIndex {
  /**
   * An owner's unnamed conversations that a list may continue, latest first, at least those whose last turn starts at
   * the same place.
   */
  alike(owner: string, prefix: PrefixHashes): Promise<readonly KnownConversation[]>
  /** Creates a conversation with its first token. Undefined if the name is taken. */
  create(conversation: Omit<KnownConversation, 'token'>): Promise<KnownConversation | undefined>
  /** Acquires a conversation for a request; earlier holders can no longer save. Undefined if there is none. */
  acquire(owner: string, name: string): Promise<KnownConversation | undefined>
  hidden(conversation: KnownConversation): Promise<HiddenAnswers>
  /** Saves a change completely or not at all. False if another answer has acquired the conversation. */
  save(conversation: KnownConversation, change: ConversationChange): Promise<boolean>
  close(): Promise<void>
}

/**
 * The real messages of an answer that the client saw as one: calls of the engine's tools with results, the answer, and
 * results of calls made together with the client's.
 */
export type HiddenAnswer = readonly Message[]

/** Hidden answers, by the hash of the client's list up to and including the answer. */
export type HiddenAnswers = ReadonlyMap<string, HiddenAnswer>

/**
 * Adds hidden messages to the client's list, so that the transcript only grows and the provider's prefix stays the
 * same.
 *
 * @param prefix The hashes of the client's list.
 */
export function restoreHidden(
  messages: readonly Message[],
  prefix: PrefixHashes,
  hidden: HiddenAnswers,
): readonly Message[] {
  if (hidden.size === 0) return messages
  const instructions = messages.length - prefix.hashes.length
  return messages.flatMap((message, index) => {
    const hash = index < instructions ? undefined : prefix.hashes.at(index - instructions)
    return (hash === undefined ? undefined : hidden.get(hash)) ?? [message]
  })
}

export function notEdited(hidden: HiddenAnswers, { hashes }: PrefixHashes): HiddenAnswers {
  if (hidden.size === 0) return hidden
  const known = new Set(hashes)
  return new Map([...hidden].filter(([hash]) => known.has(hash)))
}

/**
 * Creates the index of one process, in memory.
 *
 * @param limit Maximum number of conversations; the least recently used one is forgotten.
 */
export function createMemoryIndex(limit: number): ConversationIndex {
  const all = new Map<string, { readonly known: KnownConversation; readonly hidden: HiddenAnswers }>()
  const keyOf = (owner: string, name: string) => `${owner}\n${name}`

  return {
    async alike(owner, prefix) {
      return [...all.values()]
        .map(({ known }) => known)
        .filter((one) => one.owner === owner && !one.isNamed)
        .filter(({ checkpoint }) => knownLength(checkpoint, prefix) !== undefined)
        .reverse()
    },
    async create(conversation) {
      const key = keyOf(conversation.owner, conversation.name)
      if (all.has(key)) return undefined
      const known = { ...conversation, token: 1 }
      putNewest(all, key, { known, hidden: new Map() }, limit)
      return known
    },
    async acquire(owner, name) {
      const key = keyOf(owner, name)
      const one = all.get(key)
      if (one === undefined) return undefined
      const known = { ...one.known, token: one.known.token + 1 }
      all.set(key, { ...one, known })
      return known
    },
    async hidden({ owner, name }) {
      return all.get(keyOf(owner, name))?.hidden ?? new Map()
    },
    async save(known, { checkpoint, hidden }) {
      const key = keyOf(known.owner, known.name)
      const before = all.get(key)
      // A conversation that was dropped while it was answered returns.
      if (before !== undefined && before.known.token !== known.token) return false
      putNewest(all, key, { known: { ...known, checkpoint }, hidden }, limit)
      return true
    },
    async close() {
      all.clear()
    },
  }
}
