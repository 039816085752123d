import type { Clock, Message, Store, StoredSession } from '@palimpsest/core'
import {
  type ConversationIndex,
  conversationId,
  firstCheckpoint,
  firstName,
  type KnownConversation,
  knownLength,
} from '@palimpsest/gateway'

interface Remembered extends KnownConversation {
  readonly usedAt: number
  readonly hidden: readonly string[]
}

const GATEWAY = 'gateway'
const MOST_ALIKE = 100

interface KeptConversation {
  readonly session: StoredSession
  readonly remembered: Remembered
}

/**
 * The index by which the gateway recognises conversations. Conversations with the same first message share a session,
 * whose name is derived from it; events hold the names of the others.
 */
export function createConversationIndex(
  { store, principal }: { readonly store: Store; readonly principal: string },
  clock: Clock,
): ConversationIndex {
  const keyOf = (owner: string, name: string) => conversationId({ owner, name })
  const scopeOf = (owner: string, anchor: string) => `alike:${keyOf(owner, firstName(anchor))}`
  const find = async (owner: string, name: string): Promise<KeptConversation | undefined> => {
    const session = await store.find({ principal, key: keyOf(owner, name) })
    const remembered = (await session?.state(GATEWAY)) as Remembered | null | undefined
    return session && remembered ? { session, remembered } : undefined
  }

  return {
    async alike(owner, prefix) {
      const { anchor } = firstCheckpoint(prefix)
      const first = firstName(anchor)
      const session = await store.find({ principal, key: keyOf(owner, first) })
      if (session === null) return []
      const events = await session.events({ scopes: [scopeOf(owner, anchor)] })
      const names = [first, ...events.slice(-MOST_ALIKE).map(({ body }) => String(body))]
      const found = await Promise.all(names.map((name) => find(owner, name)))
      return found
        .flatMap((one) => (one === undefined ? [] : [one.remembered]))
        .filter(({ isNamed, checkpoint }) => !isNamed && knownLength(checkpoint, prefix) !== undefined)
        .sort((one, other) => other.usedAt - one.usedAt)
        .map(toKnown)
    },
    async create(conversation) {
      const { owner, name, isNamed, checkpoint } = conversation
      if ((await find(owner, name)) !== undefined) return undefined
      const session = await store.session({ principal, key: keyOf(owner, name) }, clock.now())
      const known = { ...conversation, token: 1 }
      const remembered: Remembered = { ...known, usedAt: clock.now(), hidden: [] }
      await session.saveState(GATEWAY, remembered)
      const first = firstName(checkpoint.anchor)
      if (isNamed || name === first) return known
      await store.session({ principal, key: keyOf(owner, first) }, clock.now())
      const scope = scopeOf(owner, checkpoint.anchor)
      await session.record({ scope, events: [{ id: `alike:${session.key}`, body: name }] })
      return known
    },
    /** A token counted twice, because the answer was lost, only makes workers read again. */
    async acquire(owner, name) {
      const found = await find(owner, name)
      if (found === undefined) return undefined
      const { session, remembered } = found
      const next = { ...remembered, token: remembered.token + 1 }
      await session.saveState(GATEWAY, next)
      return toKnown(next)
    },
    async hidden({ owner, name }) {
      const found = await find(owner, name)
      if (found === undefined) return new Map()
      const { session, remembered } = found
      const answers = await Promise.all(
        remembered.hidden.map(async (hash) => [hash, await session.state(hiddenName(hash))] as const),
      )
      return new Map(answers.flatMap(([hash, messages]) => (messages ? [[hash, messages as Message[]]] : [])))
    },
    async save({ owner, name, token }, { checkpoint, hidden }) {
      const found = await find(owner, name)
      if (found?.remembered.token !== token) return false
      const { session, remembered } = found
      const before = new Set(remembered.hidden)
      for (const [hash, messages] of hidden)
        if (!before.has(hash)) await session.saveState(hiddenName(hash), messages)
      const next = { ...remembered, checkpoint, usedAt: clock.now(), hidden: [...hidden.keys()] }
      await session.saveState(GATEWAY, next)
      for (const hash of before) if (!hidden.has(hash)) await session.saveState(hiddenName(hash), null)
      return true
    },
    // The service owns the store.
    close: async () => {},
  }
}

function toKnown({ usedAt: _, hidden: __, ...known }: Remembered): KnownConversation {
  return known
}

function hiddenName(hash: string): string {
  return `hidden:${hash}`
}
