import type { Message, TokenCounter } from '@palimpsest/core'
import { createStoredView, type StoredSessions, type ViewSummary } from '@palimpsest/inspector'
import type { ServiceEngine } from './service-engine.ts'
import { engineKey, type ServiceStore } from './store/service-store.ts'

interface StoredSessionsInput {
  readonly store: Pick<ServiceStore, 'conversations' | 'messages'>
  readonly engine: Pick<ServiceEngine, 'stored' | 'reader' | 'title'>
  readonly tokens: TokenCounter
  /** The model's window, in tokens. */
  readonly window: number
}

/**
 * The conversations in the stores of a service, for its page: its own, with all that was said, and those of the gateway as
 * far as the engine keeps them.
 */
export function storedSessions({ store, engine, tokens, window }: StoredSessionsInput): StoredSessions {
  const own = async () => {
    const conversations = await store.conversations()
    return new Map(conversations.map((record) => [engineKey(record), record]))
  }
  const list = async (): Promise<readonly ViewSummary[]> => {
    const [conversations, known] = await Promise.all([own(), engine.stored.list()])
    const times = new Map(known.map(({ key, lastAt }) => [key, lastAt]))
    const foreign = known.filter(({ key }) => !conversations.has(key))
    const summaries = [
      ...[...conversations].map(([key, { messages }]) => summaryOf(key, 'service', messages)),
      ...foreign.map(({ key, messages }) => summaryOf(key, 'gateway', messages)),
    ]
    return summaries
      .filter(({ messages }) => messages > 0)
      .map((summary) => ({ ...summary, startedAt: times.get(summary.id) ?? null }))
      .sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
  }
  const summaryOf = (id: string, source: 'service' | 'gateway', messages: number): ViewSummary => ({
    ...{ id, title: id, source, engine: engine.title, model: null, isLive: false, startedAt: null },
    ...{ requests: 0, messages, compactions: 0, tokens: 0, window, isStored: true },
  })
  const saidIn = async (id: string): Promise<readonly { message: Message; at: number | null }[]> => {
    const record = (await own()).get(id)
    if (record === undefined) return engine.stored.messagesOf(id)
    const { system, no } = record
    const said = await store.messages(no)
    const prompt: Message[] = system === '' ? [] : [{ role: 'system', content: system }]
    return [...prompt, ...said].map((message) => ({ message, at: null }))
  }
  return {
    list,
    async view(summary) {
      const messages = await saidIn(summary.id)
      if (messages.length === 0) return undefined
      return createStoredView({ summary, messages, reader: engine.reader(summary.id), tokens, threshold: 0 })
    },
  }
}
