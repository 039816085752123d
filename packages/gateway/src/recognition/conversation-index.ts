import type { Message } from '@palimpsest/core'
import { putNewest } from '../put-newest.ts'
import { type Checkpoint, knownLength, type PrefixHashes } from './prefix-hashes.ts'

/** The record by which a conversation is recognised when its client comes back. */
export interface KnownConversation {
  /** A hash of the client's credentials. */
  readonly owner: string
  /** Its id for clients. */
  readonly name: string
  /** Whether its client named it: then it is not recognised by its list. */
  readonly isNamed: boolean
  /** Grows with each request: a save that names an earlier one is refused. */
  readonly token: number
  /** The list that the client has now, as far as is known. */
  readonly checkpoint: Checkpoint
}

/** The state that a request leaves. */
export type ConversationChange = Pick<KnownConversation, 'checkpoint'> & {
  /** Those of the whole list. */
  readonly hidden: HiddenAnswers
}

/**
 * All conversations that are recognised, by one process or by several. Rejects with the errors of its store. What is
 * done twice is done once.
 */
export interface ConversationIndex {
  /**
   * Those of an owner, named ones apart, that a list goes on from; the latest first, at least of those whose last turn
   * begins at the same place.
   */
  alike(owner: string, prefix: PrefixHashes): Promise<readonly KnownConversation[]>
  /** Begins a conversation, with its first token. Undefined when the name is taken. */
  create(conversation: Omit<KnownConversation, 'token'>): Promise<KnownConversation | undefined>
  /**
   * Takes a conversation for a request; whoever has acquired it before cannot save any more. What it says was true at
   * that moment. Undefined when there is none.
   */
  acquire(owner: string, name: string): Promise<KnownConversation | undefined>
  hidden(conversation: KnownConversation): Promise<HiddenAnswers>
  /** Stores all of a change or nothing of it. False when another answer has acquired the conversation meanwhile. */
  save(conversation: KnownConversation, change: ConversationChange): Promise<boolean>
  close(): Promise<void>
}

/**
 * The real messages where a client saw one answer: calls of the engine's tools with their results, the answer, and
 * the results of calls that were made beside the client's.
 */
export type HiddenAnswer = readonly Message[]

/** By the hash of the client's list up to and with the answer. */
export type HiddenAnswers = ReadonlyMap<string, HiddenAnswer>

/**
 * The client's list with what it never saw: the transcript only grows, and the provider's prefix stays the same.
 *
 * @param prefix that of the client's list.
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

/** Without the answers that do not belong to a list any more: they were edited away. */
export function notEdited(hidden: HiddenAnswers, { hashes }: PrefixHashes): HiddenAnswers {
  if (hidden.size === 0) return hidden
  const known = new Set(hashes)
  return new Map([...hidden].filter(([hash]) => known.has(hash)))
}

/**
 * The index of one process, in memory.
 *
 * @param limit conversations; the one that was quiet for longest is forgotten first.
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
      // One that had to go while it was answered comes back.
      if (before !== undefined && before.known.token !== known.token) return false
      putNewest(all, key, { known: { ...known, checkpoint }, hidden }, limit)
      return true
    },
    async close() {
      all.clear()
    },
  }
}
