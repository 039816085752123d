import {
  type CompressCall,
  type CompressResult,
  type ContextSession,
  type ContextSessionOptions,
  compactedResult,
  createContextSession,
  defineContextEngine,
  type EngineDefinition,
  type EngineParts,
  findLastUser,
  keptResult,
  type Message,
  type SessionEvent,
  roughTokenCounter as tokens,
  toolTransactions,
} from '../../src/index.ts'

/** Replaces everything between the system prompt and the last user message's turn by one short summary. */
export function summarize(messages: readonly Message[]): Message[] {
  const head = messages[0]?.role === 'system' || messages[0]?.role === 'developer' ? 1 : 0
  const lastUser = findLastUser(messages)
  const start =
    toolTransactions(messages).findLast((transaction) => transaction.start <= lastUser)?.start ?? head
  if (start <= head) return [...messages]
  const summary: Message = { role: 'assistant', content: 'SUMMARY' }
  const before = messages[head - 1]?.role === 'assistant' ? [] : [summary]
  return [...messages.slice(0, head), ...before, ...messages.slice(start)]
}

/** A well-behaved compaction. */
export async function compress({ messages }: CompressCall): Promise<CompressResult> {
  return compactedResult({ before: messages, after: summarize(messages), tokens, reason: 'summarised' })
}

export function engine(parts: Partial<EngineParts> = {}): EngineDefinition {
  return defineContextEngine({
    name: 'double',
    apiVersion: 1,
    description: 'A double for tests',
    create: () => ({ shouldCompress: () => false, compress, ...parts }),
  })
}

/** A session with an engine made of these parts, and everything that it says. */
export function open(
  parts: Partial<EngineParts> = {},
  options: Partial<ContextSessionOptions<Record<string, unknown>>> = {},
): { session: ContextSession; events: SessionEvent[] } {
  const session = createContextSession({ engine: engine(parts), contextLength: 100_000, ...options })
  const events: SessionEvent[] = []
  session.subscribe((event) => events.push(event))
  return { session, events }
}

/** Engines that break the contract, each in one way. */
export const MISBEHAVING: Readonly<Record<string, Partial<EngineParts>>> = {
  'throws at once': {
    compress: () => {
      throw new Error('broken')
    },
  },
  rejects: { compress: async () => Promise.reject(new Error('broken')) },
  'throws what is no error': { compress: async () => Promise.reject(Object.create(null)) },
  'returns nothing': { compress: async () => undefined as never },
  'returns a text': { compress: async () => 'done' as never },
  'returns no promise': {
    compress: ((call: CompressCall) => keptResult('unchanged', 'x', call.messages, tokens)) as never,
  },
  'returns an unknown outcome': { compress: async () => ({ outcome: 'fine', messages: [] }) as never },
  'returns no messages': { compress: async () => ({ outcome: 'compacted', messages: null }) as never },
  'returns messages that are none': {
    compress: async () => ({ outcome: 'compacted', messages: [null, 5, 'x', {}] }) as never,
  },
  'returns a message that refers to itself': {
    compress: async () => {
      const message: Record<string, unknown> = { role: 'user', content: 'x' }
      message.self = message
      return { outcome: 'compacted', messages: [message], changedFrom: 0 } as never
    },
  },
  'writes to its input': {
    compress: async ({ messages }) => {
      for (const message of messages) (message as { content: unknown }).content = 'overwritten'
      return keptResult('unchanged', 'x', messages, tokens)
    },
  },
  'empties the list that it was given': {
    compress: async ({ messages }) => {
      ;(messages as Message[]).splice(0)
      return keptResult('unchanged', 'x', messages, tokens)
    },
  },
  'returns more than it got': {
    compress: async ({ messages }) =>
      claim(messages, [
        ...messages,
        { role: 'assistant', content: 'more' },
        { role: 'user', content: 'and more' },
      ]),
  },
  'returns the same list as a compaction': { compress: async ({ messages }) => claim(messages, messages) },
  'drops the last user message': {
    compress: async ({ messages }) => claim(messages, messages.toSpliced(findLastUser(messages), 1)),
  },
  'drops everything': { compress: async ({ messages }) => claim(messages, []) },
  'splits a tool pair': {
    compress: async ({ messages }) => {
      const at = messages.findIndex(({ role }) => role === 'tool')
      return claim(messages, messages.toSpliced(at === -1 ? 0 : at, 1))
    },
  },
  'changes the system prompt': {
    compress: async ({ messages }) =>
      claim(messages, [{ role: 'system', content: '!' }, ...messages.slice(2)]),
  },
  'puts a system prompt in the middle': {
    compress: async ({ messages }) =>
      claim(messages, [...messages.slice(2), { role: 'system', content: '' }]),
  },
  'keeps reasoning behind its change': {
    compress: async ({ messages }) =>
      claim(
        messages,
        messages.slice(1).map((message) => Object.assign({ reasoning: 'kept' }, message)),
      ),
  },
  'lies about where its change begins': {
    compress: async (call) => ({ ...(await compress(call)), changedFrom: 9999 }),
  },
  'fails in every other part': {
    compress,
    shouldCompress: fail,
    shouldCompressPreflight: fail,
    ingest: fail,
    pruneToolResults: fail,
    selectContext: fail,
    onTurnComplete: fail,
    onCompactionBoundary: fail,
    updateFromResponse: fail,
    toolSchemas: fail,
  },
  'selects rubbish': { selectContext: async () => ({ messages: [null, 5] }) as never },
  'selects a bare list': { selectContext: async ({ messages }) => messages as never },
  'selects without the last user message': {
    selectContext: async ({ messages }) => ({ messages: messages.toSpliced(findLastUser(messages), 1) }),
  },
  'selects half of a tool pair': {
    selectContext: async ({ messages }) => ({ messages: messages.filter(({ role }) => role !== 'tool') }),
  },
  'prunes to rubbish': { pruneToolResults: async () => [null] as never },
  'prunes the last user message': {
    pruneToolResults: async (messages) => messages.toSpliced(findLastUser(messages), 1),
  },
}

function claim(before: readonly Message[], after: readonly Message[]): CompressResult {
  const changedFrom = before.findIndex((message, index) => message !== after[index])
  return {
    outcome: 'compacted',
    reason: 'claimed',
    messages: after,
    tokensBefore: 100,
    tokensAfter: 10,
    changedFrom: changedFrom === -1 ? Math.min(before.length, after.length) : changedFrom,
    warnings: [],
  }
}

function fail(): never {
  throw new Error('broken')
}
