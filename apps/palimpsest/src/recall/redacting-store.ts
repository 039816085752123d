import { type Message, redactMessage, redactSecrets } from '@palimpsest/core'
import type { LcmSession, LcmStore, StoredMessage, SummaryNode } from '@palimpsest/lcm'

/** A store whose texts are read with secrets hidden: they can neither be shown nor searched for. */
export function redactingStore(store: LcmStore): LcmStore {
  return {
    ...store,
    async find(ref) {
      const session = await store.find(ref)
      return session === null ? null : redactingSession(session)
    },
  }
}

function redactingSession(session: LcmSession): LcmSession {
  const redacted = <Row extends { readonly text: string }>(row: Row): Row => ({
    ...row,
    text: redactSecrets(row.text),
  })
  const redactedNode = (node: SummaryNode): SummaryNode => ({ ...node, text: redactSecrets(node.text) })
  return {
    ...session,
    messages: async (query) => (await session.messages(query)).map(redactStored),
    candidates: async (query) => (await session.candidates(query)).map(redacted),
    summaryCandidates: async (query) => (await session.summaryCandidates(query)).map(redacted),
    summaries: async (numbers) => (await session.summaries(numbers)).map(redactedNode),
    async frontier(version) {
      const { nodes, ...frontier } = await session.frontier(version)
      return { ...frontier, nodes: nodes.map(redactedNode) }
    },
  }
}

function redactStored(stored: StoredMessage): StoredMessage {
  if (stored.forgotten !== undefined) return stored
  return { ...stored, json: JSON.stringify(recallable(JSON.parse(stored.json) as Message)) }
}

/** The message as it may be given out: secrets hidden, and without what only a provider reads. */
export function recallable(message: Message): Message {
  const { providerData: _, ...own } = redactMessage(message)
  return own as Message
}
