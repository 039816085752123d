import { equalValues, isInstruction, type Message, PalimpsestError, stripReasoning } from '@palimpsest/core'
import { countStored, type DecisionStore } from '@palimpsest/decisions'
import { type LcmStore, liveSeqs, storedBeginning } from '@palimpsest/lcm'
import { nameFile } from '@palimpsest/sqlite-kit'

interface SessionRef {
  readonly principal: string
  readonly key: string
}

/** A store of an engine, with what it has of a session. */
interface StoreOfEngine {
  readonly engine: string
  readonly store: object
  readonly ref: SessionRef
}

/**
 * Holds a list against what an engine stored of it. One may end before the other: a turn that was cut off, or that one of
 * them could not write. A message that both have is the same, for a service edits nothing: handed to the engine, another
 * one would be stored as an edit of the history, and all that followed from it withdrawn.
 *
 * @param messages the list with its system prompt.
 * @throws PalimpsestError `STORE_MISMATCH`.
 */
export async function assertSameHistory(
  { engine, store, ref }: StoreOfEngine,
  messages: readonly Message[],
): Promise<void> {
  const find = engine === 'lcm' ? differenceInLcm : differenceInDecisions
  const index = await find(store as LcmStore & DecisionStore, ref, messages)
  if (index === undefined) return
  const { location } = store as LcmStore
  throw nameFile(
    new PalimpsestError(
      'STORE_MISMATCH',
      `message ${index} of the session "${ref.key}" is another one than the engine ${engine} has stored in ${location}: nothing of it is used. Put the files of one copy in their places, or begin the session anew with POST /init`,
    ),
    location,
  )
}

async function differenceInLcm(
  store: LcmStore,
  ref: SessionRef,
  messages: readonly Message[],
): Promise<number | undefined> {
  const session = await store.find(ref)
  if (session === null) return undefined
  const seqs = liveSeqs(await session.head()).slice(0, messages.length)
  for (let index = 0; ; index++) {
    index = await storedBeginning(session, seqs, messages, index)
    const [seq, message] = [seqs[index], messages[index]]
    if (seq === undefined || message === undefined) return undefined
    // A system prompt may change with every turn.
    if (isInstruction(message)) continue
    const [stored] = await session.messages({ first: seq, last: seq, limit: 1 })
    const known = stored && !stored.forgotten && (JSON.parse(stored.json) as Message)
    if (!known || !equalValues(stripReasoning(known), stripReasoning(message))) return index
  }
}

async function differenceInDecisions(
  store: DecisionStore,
  ref: SessionRef,
  messages: readonly Message[],
): Promise<number | undefined> {
  const known = await countStored(store, { principal: ref.principal, sessionId: ref.key }, messages)
  const stored = await (await store.find(ref))?.count()
  return known < Math.min(messages.length, stored ?? 0) ? known : undefined
}
