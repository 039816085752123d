import type { CompressResult, Message } from '@palimpsest/core'
import type { Confirm, TurnEnd, TurnOptions } from '../../src/chat/chat-agent.ts'
import type { ChatAgent } from '../../src/chat/create-chat-agent.ts'

type ChatFacts = ChatAgent['facts']

/** How a fake agent answers: what it does in a turn, and with what the turn ends. */
export type Answer = (text: string, options: TurnOptions & { confirm: Confirm }) => Promise<string | TurnEnd>

export interface FakeAgent extends ChatAgent {
  /** Every call of a method that changes something, such as `say hello`. */
  readonly calls: string[]
}

export interface FakeAgentInput {
  readonly id?: string
  readonly facts?: Partial<ChatFacts>
  readonly history?: readonly Message[]
  readonly answer?: Answer
  readonly confirm?: Confirm
  readonly methods?: Partial<ChatAgent>
}

export const COMPACTED: CompressResult = {
  outcome: 'compacted',
  reason: 'over-threshold',
  messages: [],
  tokensBefore: 110_365,
  tokensAfter: 24_654,
  changedFrom: 1,
  warnings: [],
}

/** An agent that does what a test says, and remembers what it was asked. */
export function createFakeAgent(input: FakeAgentInput = {}): FakeAgent {
  const { answer = async (text) => `re: ${text}`, confirm = async () => 'no' as const } = input
  const calls: string[] = []
  const history: Message[] = [...(input.history ?? [])]
  let id = input.id ?? 'session-1'

  async function turn(text: string, options: TurnOptions): Promise<TurnEnd> {
    const end = await answer(text, { ...options, confirm })
    const whole = typeof end === 'string' ? ({ reason: 'answered', text: end } as const) : end
    history.push({ role: 'assistant', content: whole.text })
    return whole
  }

  return {
    calls,
    get id() {
      return id
    },
    get facts() {
      return { ...FACTS, ...input.facts }
    },
    history,
    say(text, options) {
      calls.push(`say ${text}`)
      history.push({ role: 'user', content: text })
      return turn(text, options)
    },
    retry(options) {
      calls.push('retry')
      const last = history.findLast(({ role }) => role === 'user')
      return last === undefined ? undefined : turn(String(last.content), options)
    },
    hasQuestion: () => ['user', 'tool'].includes(history.at(-1)?.role ?? ''),
    async compress(focus) {
      calls.push(`compress ${focus ?? ''}`.trim())
      return COMPACTED
    },
    async decide(text) {
      calls.push(`decide ${text}`)
      return 'on record, word for word'
    },
    async uncompress() {
      calls.push('uncompress')
      return { left: [{ index: 3 }, { index: 4 }, { index: 12 }] }
    },
    async undo() {
      calls.push('undo')
      const last = history.findLastIndex(({ role }) => role === 'user')
      return last === -1 ? undefined : String(history.splice(last)[0]?.content)
    },
    async begin() {
      calls.push('begin')
      history.length = 0
      id = 'session-2'
    },
    status: () => ({ ...STATUS, messages: history.length }),
    context: async () => ({ messages: history, tools: [], tokens: 4_321 }),
    async close() {
      calls.push('close')
    },
    ...input.methods,
  }
}

const FACTS: ChatFacts = {
  engine: 'decisions',
  engineLine: 'Engine decisions over lcm, named by --engine',
  model: 'openai:test-model',
  offline: false,
  workspace: '/nowhere/shop',
  window: 128_000,
  caching: 'Prompt caching: automatic',
  summaries: 'Summaries: openai:test-model (the model that answers)',
  warnings: [],
}

const STATUS: ReturnType<ChatAgent['status']> = {
  messages: 0,
  turns: 1,
  promptTokens: 8_765,
  threshold: 96_000,
  compactions: 2,
  file: '/nowhere/state/session-1.jsonl',
  costs: {
    requests: 3,
    promptTokens: 12_000,
    cachedTokens: 9_000,
    completionTokens: 450,
    usd: 0.0123,
    unreported: 0,
  },
}
