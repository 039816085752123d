import { errorText } from '@palimpsest/core'
import { shutdownFault, takenFault } from '../http/gateway-fault.ts'
import type { RunningCall } from '../http/running-calls.ts'
import { bookmark } from '../recognition/bookmark.ts'
import type { ConversationIndex } from '../recognition/conversation-index.ts'
import { editedAway } from '../recognition/hidden-answers.ts'
import { type Claimed, claimNamed, recognise } from '../recognition/recognise.ts'
import type { Lease, LeaseInput, ModelFacts } from './lease.ts'
import {
  createLoadedConversations,
  type Entry,
  type Loaded,
  type LoadedConversationsInput,
} from './loaded-conversations.ts'
import { takeSeat, trySeat } from './seat.ts'

/** The conversations of all clients: requests of one run one after the other, those of different ones at once. */
export interface Conversations {
  /**
   * Finds or begins the conversation of a request, and waits for its turn. What the engine fails at is logged. The call
   * is stopped when another worker takes the conversation over.
   *
   * @throws GatewayFault; `signal.reason` on abort; errors of the index and of the holds.
   */
  enter(request: LeaseInput, call: Pick<RunningCall, 'signal' | 'stop'>): Promise<Lease>
  /** How many are in memory. */
  readonly loaded: number
  /** Takes out of memory what nobody used for a while. */
  unloadIdle(): Promise<void>
  /** Waits for what runs, and ends all. */
  close(): Promise<void>
}

interface ConversationsInput extends Omit<LoadedConversationsInput, 'readHidden'> {
  readonly index: ConversationIndex
}

export function createConversations(input: ConversationsInput): Conversations {
  const { index, holds, clock, log } = input
  const memory = createLoadedConversations({ ...input, readHidden: index.hidden })
  let isClosed = false

  const claim = async (
    { owner, name, trail }: LeaseInput,
    { signal, stop }: Pick<RunningCall, 'signal' | 'stop'>,
  ): Promise<Claimed> => {
    const seatOf = (of: string) => {
      const { lock, id } = memory.entryOf({ owner, name: of })
      const onTaken = () => {
        log(`warning: an answer of ${of} was stopped: another worker has taken the conversation over`)
        stop(takenFault())
      }
      return { lock, holds, name: id, signal, onTaken }
    }
    if (name === undefined) return recognise({ index, owner, trail, trySeat: (of) => trySeat(seatOf(of)) })
    return claimNamed(index, { owner, name, trail }, await takeSeat(seatOf(name)))
  }

  const load = async (entry: Entry, { known }: Claimed, facts: ModelFacts): Promise<Loaded | undefined> => {
    try {
      return await memory.load(entry, known, facts)
    } catch (error) {
      log(`error: the engine cannot be used: ${errorText(error)}`)
      return undefined
    }
  }

  const leaseOf = ({ known, seat }: Claimed, entry: Entry, loaded: Loaded | undefined): Lease => {
    const hidden = loaded?.hidden ?? new Map()
    const fail = () => {
      if (loaded !== undefined) loaded.isSpoiled = true
    }
    return {
      known,
      hidden,
      session: loaded?.session,
      get isLost() {
        return seat.isLost
      },
      fail,
      async remember(trail, added) {
        const all = new Map([...hidden, ...added])
        const dropped = editedAway(all, trail)
        const change = { bookmark: bookmark(trail), hidden: added, dropped }
        const isSaved = await index.save(known, change).catch((error) => {
          log(`warning: a conversation was not stored: ${errorText(error)}`)
          // What is in memory is what no store says: the next request reads what the stores say.
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
        // What was not told of the answer is read anew.
        if (seat.isLost) fail()
        entry.lastUsed = clock.now()
        await seat.leave()
      },
    }
  }

  return {
    async enter(request, call) {
      if (isClosed) throw shutdownFault()
      const { model, window, reserve, isMarked } = request
      const claimed = await claim(request, call)
      const entry = memory.entryOf(claimed.known)
      return leaseOf(claimed, entry, await load(entry, claimed, { model, window, reserve, isMarked }))
    },
    get loaded() {
      return memory.count
    },
    unloadIdle: memory.unloadIdle,
    async close() {
      isClosed = true
      await memory.close()
    },
  }
}
