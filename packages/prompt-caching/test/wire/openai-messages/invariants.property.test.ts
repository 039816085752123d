import {
  type CacheBreakpoint,
  freezeMessage,
  type Message,
  roughTokenCounter,
  type ToolSchema,
} from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenConversation, conversation, deepFreeze } from '../../../../core/test/arbitraries.ts'
import { counted } from '../../../../core/test/counted.ts'
import { type CacheWire, openaiMessagesWire } from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import { blocksOf, carriersOf } from '../blocks.ts'

interface Generated {
  readonly model: string
  readonly messages: Message[]
  readonly tools?: ToolSchema[]
}

const tool = fc.record({
  type: fc.constant('function' as const),
  function: fc.record({
    name: fc.constantFrom('read_file', 'bash'),
    description: fc.string(),
    // A parameter may be called like a marker: that is no marker.
    parameters: fc.constantFrom({}, { properties: { limit: { type: 'number' } } }),
  }),
})

const request: fc.Arbitrary<Generated> = fc
  .record(
    {
      model: fc.constant('m'),
      messages: fc.oneof(conversation({ maxTurns: 3 }), brokenConversation({ maxTurns: 2 })),
      tools: fc.array(tool, { maxLength: 3 }),
    },
    { requiredKeys: ['model', 'messages'] },
  )
  // Half of the messages are such as the session hands out: those are remembered.
  .map((value) => deepFreeze({ ...value, messages: value.messages.map(freezeSome) }) as Generated)

const sample = fc.record({
  request,
  /** Which blocks are marked, by a number that is taken modulo their count. */
  picks: fc.array(fc.nat(200), { maxLength: 5 }),
  ttl: fc.constantFrom('5m' as const, '1h' as const, '30m' as const),
  staticSystem: fc.option(fc.nat(40), { nil: undefined }),
})
type Sample = typeof sample extends fc.Arbitrary<infer Value> ? Value : never

const NOWHERE: CacheBreakpoint[] = [
  { ref: { at: 'message', index: 999, block: 0 }, ttl: '5m', reason: 'nowhere' },
  { ref: { at: 'message', index: 0, block: -1 }, ttl: '5m', reason: 'nowhere' },
  { ref: { at: 'system', block: 99 }, ttl: '5m', reason: 'nowhere' },
  { ref: { at: 'tool', index: -1 }, ttl: '5m', reason: 'nowhere' },
]

/** The invariants that a wire format obeys whatever it is given. */
function describeWire(name: string, wire: CacheWire, numRuns = 300): void {
  const breakpointsOf = ({ request: from, picks, ttl, staticSystem }: Sample): CacheBreakpoint[] => {
    const blocks = blocksOf(wire, from, staticSystem)
    return picks.flatMap((pick) => {
      const block = blocks[pick % Math.max(1, blocks.length)]
      return block === undefined ? [] : [{ ref: block.ref, ttl, reason: 'picked' }]
    })
  }
  const planOf = (from: Sample) => ({ breakpoints: breakpointsOf(from), staticSystem: from.staticSystem })
  const applied = (from: Sample) => wire.apply(from.request, planOf(from))
  const invariant = (claim: string, check: (from: Sample) => void) =>
    it(claim, () => counted(`${name}: ${claim}`, fc.property(sample, check), numRuns, 'requests'))

  describe(`invariants of ${name}`, () => {
    invariant('marking again changes nothing', (from) => {
      const once = applied(from)
      const twice = wire.apply(once, planOf(from))
      expect(JSON.stringify(twice)).toBe(JSON.stringify(once))
    })

    invariant('a marker for each breakpoint that carries, and none anywhere else', (from) => {
      const breakpoints = [...breakpointsOf(from), ...NOWHERE]
      const carrying = new Set(
        blocksOf(wire, from.request, from.staticSystem)
          .filter(({ carries }) => carries)
          .map(({ ref }) => JSON.stringify(ref)),
      )
      const expected = new Set(
        breakpoints.map(({ ref }) => JSON.stringify(ref)).filter((ref) => carrying.has(ref)),
      )
      const { tools, messages } = wire.apply(from.request, { breakpoints, staticSystem: from.staticSystem })
      const carriers = carriersOf([tools, messages])
      expect(carriers).toHaveLength(expected.size)
      for (const { type, text } of carriers) {
        expect(['thinking', 'redacted_thinking', 'refusal', 'reasoning']).not.toContain(type)
        if (type === 'text') expect(text).toMatch(/\S/)
      }
    })

    invariant('a block carries exactly when a breakpoint on it becomes one marker', (from) => {
      for (const { ref, carries } of blocksOf(wire, from.request, from.staticSystem)) {
        const marked = wire.apply(from.request, {
          breakpoints: [{ ref, ttl: from.ttl, reason: 'one' }],
          staticSystem: from.staticSystem,
        })
        expect(carriersOf(marked)).toHaveLength(carries ? 1 : 0)
      }
    })

    invariant('marked text is unmarked text, and hashes the same', (from) => {
      const marked = applied(from)
      const textOf = ({ messages }: Generated) => JSON.stringify(messages.map((message) => texts(message)))
      expect(textOf(marked)).toBe(textOf(from.request))
      const hashed = (request: Generated) =>
        blocksOf(wire, request, from.staticSystem).map(({ role, kind, content }) => [role, kind, content])
      expect(hashed(marked)).toEqual(hashed(from.request))
    })

    invariant('tokens of the blocks sum to those of the message', ({ request: from }) => {
      const { messages } = wire.parts(from)
      for (const message of messages) {
        const blocks = wire.readMessage(message, roughTokenCounter)
        if (blocks.length === 0) continue
        const sum = blocks.reduce((total, { tokens }) => total + tokens, 0)
        expect(sum).toBe(roughTokenCounter.countMessage(message as Message))
        for (const { tokens } of blocks) expect(tokens).toBeGreaterThanOrEqual(0)
      }
    })

    invariant("the caller's own markers go, wherever they are", (from) => {
      const messy = deepFreeze(withCallersMarkers(from.request))
      expect(wire.apply(messy)).toEqual(from.request)
      const marked = wire.apply(messy, planOf(from))
      expect(JSON.stringify(marked)).toBe(JSON.stringify(applied(from)))
    })
  })
}

function freezeSome(message: Message, index: number): Message {
  return index % 2 === 0 && typeof message === 'object' && message !== null ? freezeMessage(message) : message
}

function texts(message: Message): string {
  const { content } = message ?? {}
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: unknown) => (part as { text?: string } | null)?.text ?? '').join('')
}

/** A copy with a marker on each message, part, call and tool. */
function withCallersMarkers(from: Generated): Generated {
  const marked = <T>(value: T): T =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : { ...value, cache_control: { type: 'ephemeral' } }
  const all = (list: unknown) => (Array.isArray(list) ? list.map(marked) : list)
  const messages = from.messages.map((message) => {
    if (typeof message !== 'object' || message === null) return message
    const members = message as unknown as Record<string, unknown>
    return marked({
      ...members,
      ...('content' in members && { content: all(members.content) }),
      ...('tool_calls' in members && { tool_calls: all(members.tool_calls) }),
    }) as unknown as Message
  })
  const tools = from.tools?.map((one) => marked({ ...one, function: marked(one.function) }))
  return { ...from, messages, ...(tools && { tools }) }
}

for (const route of ['native', 'openrouter', 'litellm'] as const)
  describeWire(route, openaiMessagesWire(route))
