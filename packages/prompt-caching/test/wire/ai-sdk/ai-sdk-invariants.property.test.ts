import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../../../core/test/arbitraries.ts'
import { counted } from '../../../../core/test/counted.ts'
import type { AiSdkRequest } from '../../../src/wire/ai-sdk/ai-sdk-request.ts'
import { aiSdkWire } from '../../../src/wire/ai-sdk/ai-sdk-wire.ts'
import { anchor, blocksOf, findAll } from '../blocks.ts'

const MARKERS = ['cacheControl', 'cache_control', 'cachePoint']
const RUNS = 400

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', ' \n', '\ud83d\ude00', '\ud800', '\u0000', '</system>', 'Plain words, as most are.'),
)
/** Options that a host may have set for the provider already; empty objects too. */
const options = fc.option(
  fc.oneof(
    fc.constantFrom(
      {},
      { anthropic: {} },
      { anthropic: { citations: { enabled: true } } },
      { openrouter: {}, anthropic: { signature: 'xyz' } },
      { bedrock: { guardContent: true }, openai: { detail: 'low' } },
    ),
    fc.constant(JSON.parse('{"__proto__":{"own":1},"constructor":{"a":1}}')),
  ),
  { nil: undefined },
)
/** A member without a value is not there at all, as in what hosts write. */
const record = <T extends Record<string, fc.Arbitrary<unknown>>>(model: T, optional: (keyof T & string)[]) =>
  fc
    .record(model)
    .map((made) =>
      Object.fromEntries(
        Object.entries(made).filter(([key, value]) => value !== undefined || !optional.includes(key)),
      ),
    )
const withOptions = (model: Record<string, fc.Arbitrary<unknown>>) =>
  record({ ...model, providerOptions: options }, ['providerOptions'])

const name = fc.constantFrom('read', 'bash', '__proto__', 'constructor')
const textPart = withOptions({ type: fc.constant('text'), text })
const file = withOptions({
  type: fc.constant('file'),
  data: fc.oneof(
    fc.constant(new URL('https://example.com/a.pdf')),
    fc.constant('aGVsbG8='),
    fc.constant(new Uint8Array()),
  ),
  mediaType: fc.constantFrom('image/png', 'application/pdf', 'text/plain'),
})
const reasoning = withOptions({ type: fc.constantFrom('reasoning', 'reasoning-file'), text })
const toolCall = withOptions({
  type: fc.constant('tool-call'),
  toolCallId: fc.constant('c1'),
  toolName: name,
  input: fc.constantFrom({}, { path: 'a' }, { cacheControl: 1 }),
})
const output = fc.oneof(
  withOptions({ type: fc.constant('text'), value: text }),
  fc.constant({ type: 'json', value: { a: [1] } }),
  fc.record({ type: fc.constant('content'), value: fc.array(textPart, { maxLength: 2 }) }),
)
const toolResult = withOptions({
  type: fc.constant('tool-result'),
  toolCallId: fc.constant('c1'),
  toolName: name,
  output,
})
const odd = fc.constantFrom<unknown>(
  null,
  'text',
  { type: 'tool-approval-request' },
  { type: 'text' },
  { type: 7 },
  {},
)

const content = (...parts: fc.Arbitrary<unknown>[]) => fc.array(fc.oneof(...parts, odd), { maxLength: 4 })
const message = fc.oneof(
  withOptions({ role: fc.constantFrom('user', 'assistant', 'system'), content: text }),
  withOptions({ role: fc.constant('user'), content: content(textPart, file) }),
  withOptions({
    role: fc.constant('assistant'),
    content: content(textPart, reasoning, toolCall, toolResult),
  }),
  withOptions({ role: fc.constant('tool'), content: content(toolResult) }),
  fc.constantFrom(null, 'text', { role: 'user' }),
)
const systemMessage = withOptions({ role: fc.constant('system'), content: text })
const instructions = fc.option(
  fc.oneof(
    text,
    systemMessage,
    fc.array(fc.oneof({ weight: 6, arbitrary: systemMessage }, fc.constant(null)), { maxLength: 3 }),
  ),
  {
    nil: undefined,
  },
)
const tools = fc.option(
  fc.dictionary(
    name,
    fc.oneof(
      withOptions({ description: text, inputSchema: fc.constant({ jsonSchema: { type: 'object' } }) }),
      fc.constant(null),
      fc.constant({ type: 'provider', id: 'anthropic.web_search', args: {} }),
    ),
    { maxKeys: 3, noNullPrototype: true },
  ),
  { nil: undefined },
)
const request: fc.Arbitrary<AiSdkRequest> = record(
  {
    instructions,
    system: instructions,
    tools,
    messages: fc.array(message, { maxLength: 5 }),
    providerOptions: options,
  },
  ['instructions', 'system', 'tools', 'providerOptions'],
).map((made) => deepFreeze(made) as unknown as AiSdkRequest)

const sample = fc.record({
  request,
  /** Which blocks are marked, taken modulo their count. */
  picks: fc.array(fc.nat(50), { maxLength: 5 }),
  ttl: fc.constantFrom('5m' as const, '1h' as const),
})
type Sample = typeof sample extends fc.Arbitrary<infer Value> ? Value : never

describe('invariants of the AI SDK', () => {
  const wire = aiSdkWire()
  const anchorsOf = ({ request: from, picks, ttl }: Sample) => {
    const blocks = blocksOf(wire, from)
    return picks.flatMap((pick) => {
      const block = blocks[pick % Math.max(1, blocks.length)]
      return block === undefined ? [] : [anchor(block.ref, ttl)]
    })
  }
  const applied = (from: Sample) => wire.apply(from.request, anchorsOf(from))
  const invariant = (claim: string, check: (from: Sample) => void) =>
    it(claim, () => counted(`ai-sdk: ${claim}`, fc.property(sample, check), RUNS, 'frozen requests'))

  invariant('marking again changes nothing', (from) => {
    const once = applied(from)
    const twice = wire.apply(once, anchorsOf(from))
    expect(JSON.stringify(twice)).toBe(JSON.stringify(once))
  })

  invariant('a block carries exactly when an anchor there becomes one marker', (from) => {
    const inputs = findAll(from.request, ...MARKERS).length
    for (const { ref, carries } of blocksOf(wire, from.request)) {
      const marked = wire.apply(from.request, [anchor(ref, from.ttl)])
      expect(findAll(marked, ...MARKERS)).toHaveLength(inputs + (carries ? 1 : 0))
    }
  })

  invariant('marked text is unmarked text', (from) => {
    const textOf = (read: AiSdkRequest) => [
      systemText(read),
      blocksOf(wire, { ...read, instructions: '', system: '' }),
    ]
    expect(textOf(applied(from))).toEqual(textOf(from.request))
  })

  invariant("the caller's own markers go, wherever they are", (from) => {
    const messy = deepFreeze(withCallersMarkers(from.request))
    const clean = wire.apply(messy, [])
    expect(findAll(clean, ...MARKERS)).toEqual(findAll(from.request, ...MARKERS))
    const anchors = anchorsOf({ ...from, request: clean })
    expect(JSON.stringify(wire.apply(messy, anchors))).toBe(JSON.stringify(wire.apply(clean, anchors)))
  })
})

function systemText({ instructions: now, system }: AiSdkRequest): string {
  const value = now ?? system ?? ''
  if (typeof value === 'string') return value
  return ('content' in value ? [value] : value).map((one) => one?.content ?? '').join('')
}

/** A copy with markers in every place that a provider package looks at. */
function withCallersMarkers(from: AiSdkRequest): AiSdkRequest {
  const marked = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const own = (value as AiSdkRequest).providerOptions
    const providerOptions = {
      ...own,
      anthropic: { ...own?.anthropic, cacheControl: { type: 'ephemeral' } },
      'own-name': { cache_control: { type: 'ephemeral', ttl: '1h' } },
      bedrock: { ...own?.bedrock, cachePoint: { type: 'default' } },
    }
    return { ...value, providerOptions }
  }
  const part = (value: unknown): unknown => {
    const made = marked(value) as { output?: { value: unknown } }
    if (made?.output === undefined) return made
    const inner = made.output.value
    return {
      ...made,
      output: { ...(marked(made.output) as object), value: Array.isArray(inner) ? inner.map(marked) : inner },
    }
  }
  const all = (value: unknown) => (Array.isArray(value) ? value.map(marked) : marked(value))
  return {
    ...(marked(from) as AiSdkRequest),
    ...(from.instructions !== undefined && { instructions: all(from.instructions) as string }),
    ...(from.system !== undefined && { system: all(from.system) as string }),
    ...(from.tools && {
      tools: Object.fromEntries(Object.entries(from.tools).map(([key, one]) => [key, marked(one) as object])),
    }),
    messages: from.messages.map((one) => {
      const made = marked(one) as typeof one
      return Array.isArray(made?.content)
        ? { ...made, content: made.content.map(part) as typeof made.content }
        : made
    }),
  }
}
