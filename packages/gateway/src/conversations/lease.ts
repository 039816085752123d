import { type ContextSession, errorText, PalimpsestError } from '@palimpsest/core'
import { takenFault } from '../http/gateway-fault.ts'
import { LOCK_TAKEN } from '../pool/session-locks.ts'
import { checkpointOf } from '../recognition/checkpoint.ts'
import {
  type ConversationIndex,
  editedAway,
  type HiddenAnswers,
  type KnownConversation,
} from '../recognition/conversation-index.ts'
import type { PrefixHashes } from '../recognition/prefix-hashes.ts'
import type { Acquired } from '../recognition/recognise.ts'
import type { Loaded, ModelFacts } from './open-conversation.ts'

export interface LeaseInput extends ModelFacts {
  readonly owner: string
  /** The client's name of the conversation; without one it is recognised by its list. */
  readonly name: string | undefined
  /** That of the client's list. */
  readonly prefix: PrefixHashes
}

/** A conversation for the time of one request: no other request has it meanwhile. */
export interface Lease {
  readonly known: KnownConversation
  readonly hidden: HiddenAnswers
  /** Undefined when the engine cannot be used. */
  readonly session: ContextSession | undefined
  /** True when another worker may have it by now: nothing may be written any more. */
  readonly isLost: boolean
  /** The engine failed: the next request tries a new session. */
  fail(): void
  /**
   * Remembers the client's list, and the hidden part of the last answer. A failure to store is logged.
   *
   * @throws GatewayFault 409 when another worker has taken the conversation over.
   */
  remember(prefix: PrefixHashes, hidden: HiddenAnswers): Promise<void>
  /** Resolves when the next request can have it, here or at another worker. May be called more than once. */
  release(): Promise<void>
}

interface NewLease {
  readonly acquired: Acquired
  /** Undefined when the engine cannot be used. */
  readonly loaded: Loaded | undefined
  readonly index: Pick<ConversationIndex, 'save'>
  readonly log: (line: string) => void
  /** Called when another worker has taken the conversation before it is released. */
  readonly onTaken: () => void
}

export function createLease({ acquired, loaded, index, log, onTaken }: NewLease): Lease {
  const { known, lease } = acquired
  const { signal } = lease.lock
  // A lease that ran out because the database is away may still be this worker's: its answer goes on.
  const onLost = () => {
    if (PalimpsestError.isInstance(signal.reason) && signal.reason.code === LOCK_TAKEN) onTaken()
  }
  signal.addEventListener('abort', onLost)
  if (signal.aborted) onLost()
  const hidden = loaded?.hidden ?? new Map()
  const fail = () => {
    if (loaded !== undefined) loaded.isSpoiled = true
  }
  return {
    known,
    hidden,
    session: loaded?.session,
    get isLost() {
      return signal.aborted
    },
    fail,
    async remember(prefix, added) {
      const all = new Map([...hidden, ...added])
      const dropped = editedAway(all, prefix)
      const change = { checkpoint: checkpointOf(prefix), hidden: added, dropped }
      const isSaved = await index.save(known, change).catch((error) => {
        log(`warning: a conversation was not stored: ${errorText(error)}`)
        // The state in memory is in no store: the next request reads the stores.
        fail()
      })
      if (isSaved === false) {
        fail()
        throw takenFault()
      }
      for (const hash of dropped) all.delete(hash)
      if (loaded !== undefined) loaded.hidden = all
    },
    async release() {
      signal.removeEventListener('abort', onLost)
      // The part of the answer that was not told is read anew.
      if (signal.aborted) fail()
      await lease.release()
    },
  }
}
