import type { CompressCall, CompressResult, ContextEngine, Message, TokenCounter } from '@palimpsest/core'
import { compacted, tokensOf } from './compact.ts'

export type PlainHost = ReturnType<typeof createPlainHost>

/**
 * A host that talks to an engine without a session: what a compaction returns is its next projection. `tokens` is what the
 * host counts with. Default: the fixed counter.
 */
export function createPlainHost(engine: ContextEngine, tokens?: TokenCounter) {
  let transcript: readonly Message[] = []
  let projection: readonly Message[] = []
  let compactions = 0

  const compact = async (call: Partial<CompressCall> = {}): Promise<CompressResult> => {
    const messages = [...projection]
    const result = await engine.compress({ messages, currentTokens: tokensOf(messages, tokens), ...call })
    if (result.outcome !== 'compacted') return result
    compactions++
    projection = result.messages
    await engine.onCompactionBoundary({ result, transcriptLength: transcript.length })
    return result
  }

  return {
    engine,
    /** Everything that was said. */
    get transcript() {
      return transcript
    },
    get projection() {
      return projection
    },
    /** Compactions that were made so far. */
    get compactions() {
      return compactions
    },
    /** Says something more: the engine takes it in. */
    async say(messages: readonly Message[]): Promise<void> {
      const from = transcript.length
      transcript = [...transcript, ...messages]
      projection = [...projection, ...messages]
      await engine.ingest({ messages: [...messages], from })
    },
    compact,
    /** Like `compact`, with force, for a conversation so long that an engine which does not compact it is none. */
    async mustCompact(call?: Partial<CompressCall>): Promise<CompressResult> {
      const before = projection
      return compacted(await compact({ force: true, ...call }), before)
    },
  }
}

/**
 * A conversation in two parts, as a host compacts in the middle of it: the first ends with a message of the user.
 * One part when there is only one such message.
 */
export function halves(messages: readonly Message[]): (readonly Message[])[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index + 1] : []))
  const cut = users[Math.floor((users.length - 1) / 2)] ?? messages.length
  return [messages.slice(0, cut), messages.slice(cut)].filter((part) => part.length > 0)
}
