import {
  compactedResult,
  defineContextEngine,
  type EngineDefinition,
  type EngineHost,
  type EngineParts,
  equalValues,
  findLastUser,
  isInstruction,
  keptResult,
  looseOf,
  type Message,
  placeSummary,
  thresholdTokens,
  type Usage,
} from '@palimpsest/core'
import { ENGINE_TOOL, recalledText } from './script.ts'

/** The engine's record of a session, which survives a restart. An engine that receives nothing leaves none. */
export interface EngineSession {
  readonly messages: Message[]
  edits: number
  readonly usage: Usage[]
  readonly recalls: unknown[]
  compactions: number
}

export type FailingPart = Exclude<keyof EngineParts, 'capabilities' | 'dispose'>

export interface SuiteEngine {
  readonly definition: EngineDefinition
  readonly sessions: ReadonlyMap<string, EngineSession>
  failing: ReadonlySet<FailingPart>
  isStalling: boolean
  stalled(): Promise<void>
}

/** Early enough for a few more results. */
const THRESHOLD = 0.75

/** An engine that keeps the last question and everything after it, and replaces the rest by one sentence. */
export function createSuiteEngine(): SuiteEngine {
  const sessions = new Map<string, EngineSession>()
  const stalled = Promise.withResolvers<void>()
  const sessionOf = (id: string): EngineSession => {
    const known = sessions.get(id) ?? { messages: [], edits: 0, usage: [], recalls: [], compactions: 0 }
    sessions.set(id, known)
    return known
  }
  const stall = (signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      stalled.resolve()
    })

  const suite: SuiteEngine = {
    sessions,
    failing: new Set(),
    isStalling: false,
    stalled: () => stalled.promise,
    definition: defineContextEngine({
      name: 'suite-engine',
      apiVersion: 1,
      description: 'The engine of the suite for hosts',
      create(_, host) {
        const waiting = (signal?: AbortSignal) => (suite.isStalling ? stall(signal) : undefined)
        const parts = createParts(host, () => sessionOf(host.sessionId), waiting)
        return mayFail(parts, (part) => suite.failing.has(part))
      },
    }),
  }
  return suite
}

function createParts(
  host: EngineHost,
  session: () => EngineSession,
  waiting: (signal?: AbortSignal) => Promise<never> | undefined,
): EngineParts {
  const { tokens, maxOutputTokens } = host
  let { contextLength } = host
  const threshold = () => thresholdTokens({ contextLength, maxOutputTokens, threshold: THRESHOLD })
  return {
    get thresholdTokens() {
      return threshold()
    },
    shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens >= threshold(),
    shouldCompressPreflight: () => false,
    async compress({ messages: before, signal }) {
      await waiting(signal)
      const start = isInstruction(before[0]) ? 1 : 0
      const last = findLastUser(before)
      // The rest is only a summary and its bridge.
      if (last - start <= 2) return keptResult('unchanged', 'nothing-to-compact', before, tokens)
      const summary = 'The suite left out what was said before.'
      const after = placeSummary({ head: before.slice(0, start), summary, tail: before.slice(last) })
      session().compactions++
      return compactedResult({ before, after, tokens, reason: 'summarised', warnings: [] })
    },
    async ingest({ messages, from }) {
      const heard = session()
      for (const [index, message] of messages.entries()) {
        const known = heard.messages[from + index]
        if (known !== undefined && equalValues(known, message)) continue
        if (known !== undefined) heard.edits += heard.messages.splice(from + index).length
        heard.messages.push(message)
      }
    },
    updateFromResponse(usage) {
      session().usage.push(usage)
    },
    updateModel(update) {
      contextLength = update.contextLength
    },
    onSessionStart: async () => {},
    onTurnComplete: async () => {},
    selectContext: async () => null,
    pruneToolResults: async (messages) => messages,
    toolSchemas: () => [
      {
        name: ENGINE_TOOL,
        description: 'Says what was said about a subject.',
        parameters: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] },
      },
    ],
    async handleToolCall(_, args) {
      const { subject } = looseOf(args)
      session().recalls.push(subject)
      return recalledText(String(subject))
    },
  }
}

function mayFail(parts: EngineParts, fails: (part: FailingPart) => boolean): EngineParts {
  return new Proxy(parts, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (fails(key as FailingPart))
          throw new Error(`the engine of the suite was told to fail in ${String(key)}`)
        return member.apply(target, args)
      }
    },
  })
}
