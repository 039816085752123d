import { isInstruction, type Message, repairMessages, type TokenCounter } from '@palimpsest/core'
import { encodeMessage } from '../messages/encode-message.ts'
import type { WindowMessage } from './window.ts'
import type { WindowKeeper } from './window-keeper.ts'
import { readNewMessages } from './window-message.ts'

/** Messages from the end in which a system prompt that was kept aside before is looked for. */
const LOOK_BACK = 200

/**
 * Keeps the texts that a system prompt had. A host may change it at any time, which is no edit of its history; what the
 * model was told has to be in the store all the same.
 */
export interface SystemPrompts {
  /** Stores the instructions that a list begins with, if they are not known. Never rejects: the next request tries again. */
  note(messages: readonly Message[]): Promise<void>
}

/** Several instructions come back as one. */
function hashesOf(leading: readonly WindowMessage[]): string[] {
  const { messages } = repairMessages(leading.map(({ message }) => message))
  return [...leading, ...messages.map((message) => encodeMessage(message, 0))].map(({ hash }) => hash)
}

export function createSystemPrompts(keeper: WindowKeeper, tokens: TokenCounter): SystemPrompts {
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
