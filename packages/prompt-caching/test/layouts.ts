import { roughTokenCounter } from '@palimpsest/core'
import { createLayouter } from '../src/layout/create-layouter.ts'
import type { BlockKind, BlockRole, ReadBlock, RequestLayout } from '../src/layout/request-layout.ts'
import type { CachePricing } from '../src/pricing/cache-pricing.ts'
import type { RequestReader } from '../src/wire/cache-wire.ts'

/** A block of a made-up request. `text` is what makes it this block and no other. */
export interface TestBlock {
  readonly text: string
  readonly tokens: number
  /** Default `other`. */
  readonly kind?: BlockKind
  /** Default true. */
  readonly carries?: boolean
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
}

const testWire: RequestReader<TestRequest> = {
  parts: ({ tools = [], system, messages }) => ({
    tools,
    system: system ?? null,
    messages,
    firstMessage: system === undefined ? 0 : 1,
  }),
  readTool: (tool) => readBlock(tool as TestBlock, 'system'),
  readSystem: (system) => (system as TestBlock[]).map((block) => readBlock(block, 'system')),
  readMessage: (message) => {
    const { role, blocks } = message as TestMessage
    return blocks.map((block) => readBlock(block, role))
  },
}

function readBlock(block: TestBlock, role: BlockRole): ReadBlock {
  const { kind = 'other', text, tokens, carries = true } = block
  return { kind, role, content: `${kind} ${text}`, tokens, carries }
}

/** The layout of a made-up request. */
export function layoutOf(request: TestRequest): RequestLayout {
  return createLayouter(testWire, roughTokenCounter).layout(request)
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
} as const)
