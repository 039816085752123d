import { createFakeClock, createScriptedModel } from '@palimpsest/contract-tests'
import {
  type AssistantMessage,
  type Clock,
  type CompletionModel,
  type ContextEngine,
  type ContextSession,
  createContextSession,
  type Message,
  readSummary,
  roughTokenCounter,
  type Store,
  type StoredSession,
  type Summary,
  type ToolMessage,
} from '@palimpsest/core'
import { frontierSummaries } from '../../src/history/frontier-history.ts'
import lcm, { type LcmOptions } from '../../src/index.ts'
import { memoryStore } from '../memory-store.ts'

export const tokens = roughTokenCounter

export const system = (content = 'You are a coding agent.'): Message => ({ role: 'system', content })
export const user = (content: string): Message => ({ role: 'user', content })
export const assistant = (content: string): AssistantMessage => ({ role: 'assistant', content })

/** An assistant message with one call for each id. */
export const calls = (...ids: string[]): AssistantMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: JSON.stringify({ path: `src/${id}.ts` }) },
  })),
})

export const result = (id: string, content: string): ToolMessage => ({
  role: 'tool',
  tool_call_id: id,
  content,
})

/** So many words, each different. */
export const words = (count: number, stem = 'word'): string =>
  Array.from({ length: count }, (_, index) => `${stem}${index}`).join(' ')

/** Turns of a user message, a tool round and an answer: about 60 tokens and `resultWords` words each. */
export function turns(count: number, resultWords = 100, stem = 't'): Message[] {
  return Array.from({ length: count }, (_, index): Message[] => {
    const id = `${stem}${index}`
    return [
      user(`Please look at part ${id} of the program.`),
      calls(id),
      result(id, words(resultWords, `${id}w`)),
      assistant(`Part ${id} is as it should be.`),
    ]
  }).flat()
}

export const SUMMARY = '## Goal\nThe user wanted the program looked at.\n\n## Progress\n- Parts were read.'

/** A model that plays its script, one entry a call, and then repeats the last one. */
export const scripted = (...steps: NonNullable<Parameters<typeof createScriptedModel>[0]>) =>
  createScriptedModel(steps.length === 0 ? [SUMMARY] : steps)

export interface EngineSetup extends LcmOptions {
  readonly window?: number
  readonly model?: CompletionModel | undefined
  readonly clock?: Clock
  readonly key?: string
  readonly store?: Store
}

function hostOf({
  window = 8_000,
  model,
  clock = createFakeClock(),
  key = 'chat',
  store,
  ...options
}: EngineSetup) {
  const host = { contextLength: window, maxOutputTokens: 0, tokens, clock, sessionId: key }
  // Sizes in tests are those of these shares, whatever the defaults are.
  const shares = { threshold: 0.75, soft_threshold: Math.min(0.6, options.threshold ?? 0.6) }
  return {
    options: { ...shares, ...options },
    host: { ...host, ...(model !== undefined && { model }) },
    store,
  }
}

/** The engine for a host without a session. */
export function createEngine(setup: EngineSetup = {}): ContextEngine {
  const { options, host, store } = hostOf(setup)
  return lcm.create(options, { ...host, ...(store && { store: () => withoutClose(store) }) })
}

/** A store that outlives the engine. */
function withoutClose(store: Store): Store {
  return { ...store, close: async () => {} }
}

/** A session of a host that uses the engine. */
export function createChat(setup: EngineSetup = {}): ContextSession {
  const { options, host, store } = hostOf(setup)
  return createContextSession({ engine: lcm, options, store, ...host })
}

export async function openSession(store: Store, key = 'chat'): Promise<StoredSession> {
  const session = await store.find({ key })
  if (session === null) throw new Error(`there is no session ${key}`)
  return session
}

/** All messages of a session as their JSON texts, replaced ones too or not. */
export async function stored(session: StoredSession, includeReplaced = true): Promise<string[]> {
  const list = await session.messages({ includeReplaced })
  return list.map(({ message }) => JSON.stringify(message))
}

/** The summaries that a session shows now. */
export async function shownSummaries(store: Store, key = 'chat'): Promise<Summary[]> {
  return frontierSummaries(await openSession(store, key))
}

/** All summaries that a session ever had. */
export async function everySummary(session: StoredSession): Promise<Summary[]> {
  const { nextSummary } = await session.head()
  return session.summaries(Array.from({ length: nextSummary - 1 }, (_, index) => index + 1))
}

export const texts = (messages: readonly Message[]): string[] =>
  messages.map((message) => JSON.stringify(message))

/** The text of the one summary in a list of messages. */
export function summaryOf(messages: readonly Message[]): string {
  const found = messages.map(readSummary).filter((text) => text !== undefined)
  if (found.length !== 1) throw new Error(`expected one summary, found ${found.length}`)
  return found[0] as string
}

/** What `lcm_expand` gives back of a message, its pages put together. */
export async function expand(engine: Pick<ContextEngine, 'handleToolCall'>, seq: number): Promise<string> {
  let text = ''
  for (let offset = 0; offset !== null; ) {
    const call = { id: `m${seq}`, form: 'json', offset }
    const page = JSON.parse(await engine.handleToolCall('lcm_expand', call))
    if (typeof page.text !== 'string') throw new Error(`m${seq}: ${JSON.stringify(page)}`)
    text += page.text
    offset = page.next
  }
  return text
}

/** A session with its methods watched or changed: `wrap` gets the name of a method and how to do what it does. */
export type Wrap = <T>(method: string, run: () => Promise<T>) => Promise<T>

/** A store whose sessions go through `wrap`. */
export function wrapStore(inner: Store, wrap: Wrap): Store {
  const wrapSession = (session: StoredSession): StoredSession =>
    new Proxy(session, {
      get(target, name: keyof StoredSession) {
        const member = target[name]
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => wrap(name, () => Reflect.apply(member, target, args))
      },
    })
  return {
    ...inner,
    session: (...args) => wrap('session', async () => wrapSession(await inner.session(...args))),
  }
}

export { createFakeClock, createScriptedModel as createScripted, memoryStore }
