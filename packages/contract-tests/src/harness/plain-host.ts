import type { CompressCall, CompressResult, ContextEngine, Message, TokenCounter } from '@palimpsest/core'
import { compacted, tokensOf } from './compact.ts'

export type PlainHost = ReturnType<typeof createPlainHost>

/**
 * A host without a session: the result of a compaction is its next projection. `tokens`: the host's counter. Default:
 * the fixed counter.
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
    get transcript() {
      return transcript
    },
    get projection() {
      return projection
    },
    get compactions() {
      return compactions
    },
    async say(messages: readonly Message[]): Promise<void> {
      const from = transcript.length
      transcript = [...transcript, ...messages]
      projection = [...projection, ...messages]
      await engine.ingest({ messages: [...messages], from })
    },
    compact,
    async mustCompact(call?: Partial<CompressCall>): Promise<CompressResult> {
      const before = projection
      return compacted(await compact({ force: true, ...call }), before)
    },
  }
}

export function halves(messages: readonly Message[]): (readonly Message[])[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index + 1] : []))
  const cut = users[Math.floor((users.length - 1) / 2)] ?? messages.length
  return [messages.slice(0, cut), messages.slice(cut)].filter((part) => part.length > 0)
}
