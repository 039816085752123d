import { roughTokenCounter } from '@palimpsest/core'
import { createLayouter } from '../src/layout/create-layouter.ts'
import type { BlockKind, BlockRole, ReadBlock, RequestLayout } from '../src/layout/request-layout.ts'
import type { CachePricing } from '../src/pricing/cache-pricing.ts'
import type { CacheSettings, CacheWire } from '../src/wire/cache-wire.ts'

/** A block of a made-up request. `text` is what makes it this block and no other. */
export interface TestBlock {
  readonly text: string
  readonly tokens: number
  /** Default `text`. */
  readonly kind?: BlockKind
  /** Default: true for everything but thinking. */
  readonly carries?: boolean
  readonly isSummary?: boolean
}

export interface TestMessage {
  readonly role: BlockRole
  readonly blocks: readonly TestBlock[]
}

/** A made-up request: blocks with sizes instead of texts. Messages are numbered from 1 when there is a system prompt. */
export interface TestRequest {
  readonly tools?: readonly TestBlock[]
  readonly system?: readonly TestBlock[]
  readonly messages: readonly TestMessage[]
  readonly settings?: CacheSettings
}

const testWire: CacheWire<TestRequest> = {
  name: 'test',
  parts: ({ tools = [], system, messages, settings = {} }) => ({
    tools,
    system: system ?? null,
    messages,
    firstMessage: system === undefined ? 0 : 1,
    settings,
  }),
  readTool: (tool) => readBlock(tool as TestBlock, 'system', 'tool'),
  readSystem: (system) => (system as TestBlock[]).map((block) => readBlock(block, 'system', 'system')),
  readMessage: (message) => {
    const { role, blocks } = message as TestMessage
    return blocks.map((block) => readBlock(block, role, 'text'))
  },
  apply: (request) => request,
  strip: (request) => request,
}

function readBlock(block: TestBlock, role: BlockRole, otherwise: BlockKind): ReadBlock {
  const { kind = otherwise, text, tokens, carries = kind !== 'thinking', isSummary = false } = block
  return { kind, role, content: `${kind} ${text}`, tokens, carries, isSummary }
}

const KEEPING: Pick<CachePricing, 'keepsThinking' | 'effortChangesAll'> = {
  keepsThinking: true,
  effortChangesAll: false,
}

/** The layout of a made-up request. Pass the pricing when thinking or effort matter. */
export function layoutOf(
  request: TestRequest,
  pricing: Pick<CachePricing, 'keepsThinking' | 'effortChangesAll'> = KEEPING,
): RequestLayout {
  return createLayouter(testWire, roughTokenCounter, pricing).layout(request)
}

/** Shorthands. */
export const user = (text: string, tokens: number): TestMessage => ({
  role: 'user',
  blocks: [{ text, tokens }],
})
export const answer = (text: string, tokens: number): TestMessage => ({
  role: 'assistant',
  blocks: [{ text, tokens }],
})
/** An assistant's message with `count` parallel calls, and its results: `count` messages of the role tool. */
export function calls(text: string, count: number, tokens: number): TestMessage[] {
  const numbers = Array.from({ length: count }, (_, index) => `${text} ${index}`)
  return [
    { role: 'assistant', blocks: numbers.map((name) => ({ text: name, tokens, kind: 'tool-use' as const })) },
    ...numbers.map((name) => ({
      role: 'tool' as const,
      blocks: [{ text: name, tokens, kind: 'tool-result' as const }],
    })),
  ]
}

/** An Anthropic-like pricing: collapsed, minimum 1,024 tokens, reading at a tenth, input at 1 dollar a million. */
export const TEST_PRICING: CachePricing = Object.freeze({
  provider: 'anthropic',
  model: 'test-model',
  asOf: '2026-10-01',
  source: 'made up',
  matching: 'collapsed',
  input: 1,
  output: 5,
  read: 0.1,
  short: { ttl: '5m', seconds: 300, write: 1.25 },
  long: { ttl: '1h', seconds: 3600, write: 2 },
  tiers: [],
  minimumTokens: 1024,
  maxBreakpoints: 4,
  lookback: 20,
  sliding: true,
  keepsThinking: true,
  bindsThinking: false,
  effortChangesAll: false,
} as const)
