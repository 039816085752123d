import type { Message } from '@palimpsest/core'
import fc from 'fast-check'

const WORDS =
  'the file src/app.ts has 3 errors; run pnpm test, then read "output.log" and fix: them all'.split(' ')

/** Any code point, including lone surrogates. The unit `binary` does the same and takes seconds to build. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

export const text: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
      .map((list) => list.join(' ')),
  },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('日本語の文章です', '한국어 문장', 'مرحبا بالعالم', '👩‍👩‍👧‍👦 🇩🇪', ''),
  },
  { weight: 1, arbitrary: fc.constantFrom('\ud83d', 'a\udc00b', '\u0000\u001b[31m', '</summary>\r\n') },
)

const jsonValue = fc.jsonValue({ maxDepth: 2 })

const jsonObject: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.dictionary(fc.string({ maxLength: 8 }), jsonValue, { maxKeys: 4 }),
    fc.option(fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'), { freq: 3 }),
  )
  .map(([object, key]) => {
    if (key === null) return object
    // Parsed from text, because an assignment to __proto__ would not make a key.
    return { ...object, ...JSON.parse(`{${JSON.stringify(key)}: {"polluted": true}}`) }
  })

const extras: fc.Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ id: fc.uuid() }) },
  { weight: 1, arbitrary: fc.record({ providerData: jsonObject }) },
  { weight: 1, arbitrary: fc.record({ unknown_field: jsonValue }) },
)

const reasoning: fc.Arbitrary<object> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ reasoning: text }) },
  { weight: 1, arbitrary: fc.record({ reasoning_content: text }) },
  {
    weight: 1,
    arbitrary: fc.record({ reasoning_details: fc.array(fc.record({ data: text }), { maxLength: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ thinking: text }) },
  {
    weight: 1,
    arbitrary: fc.record({ providerData: fc.record({ gemini: fc.record({ reasoning: text }) }) }),
  },
  {
    weight: 1,
    arbitrary: text.map((thinking) => ({
      content: [
        { type: 'thinking', thinking, signature: 's' },
        { type: 'text', text: thinking },
      ],
    })),
  },
)

const userPart = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.constantFrom(
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'file', file: { file_id: 'file-1' } },
  ),
)

const user: fc.Arbitrary<Message> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: text },
      { weight: 1, arbitrary: fc.array(userPart, { minLength: 1, maxLength: 3 }) },
    ),
    extras,
  )
  .map(([content, rest]) => ({ ...rest, role: 'user', content }) as Message)

const toolName = fc.constantFrom('read_file', 'bash', 'search', 'edit')

const calling = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(toolName, jsonObject).map(([name, args]) => ({
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(toolName, text).map(([name, input]) => ({ type: 'custom', custom: { name, input } })),
  },
)

const transaction = fc
  .record({
    content: fc.option(text),
    calls: fc.array(fc.tuple(calling, text), { minLength: 1, maxLength: 4 }),
    thoughts: reasoning,
    rotation: fc.nat(3),
  })
  .map(({ content, calls, thoughts, rotation }) => (number: number): Message[] => {
    const id = (index: number) => `call_${number}_${index}`
    const tool_calls = calls.map(([call], index) => ({ ...call, id: id(index) }))
    const results = calls.map(([, output], index) => ({
      role: 'tool',
      tool_call_id: id(index),
      content: output,
    }))
    const turned = [...results.slice(rotation), ...results.slice(0, rotation)]
    return [{ role: 'assistant', content, ...thoughts, tool_calls }, ...turned] as Message[]
  })

const answer: fc.Arbitrary<Message> = fc
  .tuple(text, reasoning, extras)
  .map(([content, thoughts, rest]) => ({ role: 'assistant', content, ...rest, ...thoughts }) as Message)

const turn = fc
  .record({
    users: fc.oneof({ weight: 5, arbitrary: fc.tuple(user) }, { weight: 1, arbitrary: fc.tuple(user, user) }),
    transactions: fc.array(transaction, { maxLength: 2 }),
    answers: fc.oneof({ weight: 3, arbitrary: fc.tuple(answer) }, { weight: 1, arbitrary: fc.constant([]) }),
  })
  .map(({ users, transactions, answers }) => (number: number): Message[] => [
    ...users,
    ...transactions.flatMap((make, index) => make(number * 10 + index)),
    ...answers,
  ])

const systemMessage: fc.Arbitrary<Message> = fc
  .tuple(text, fc.constantFrom('system', 'developer'), fc.boolean())
  .map(
    ([content, role, inParts]) =>
      ({ role, content: inParts ? [{ type: 'text', text: content }] : content }) as Message,
  )

export interface ConversationOptions {
  readonly maxTurns?: number
}

/**
 * Generates a conversation that satisfies invariant 2: parallel calls, parts, reasoning, odd texts and keys, several
 * user messages in a row.
 */
export function conversation({ maxTurns = 6 }: ConversationOptions = {}): fc.Arbitrary<Message[]> {
  return fc
    .tuple(fc.option(systemMessage, { freq: 4 }), fc.array(turn, { minLength: 1, maxLength: maxTurns }))
    .map(([system, turns]) => [
      ...(system === null ? [] : [system]),
      ...turns.flatMap((make, index) => make(index)),
    ])
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    { role: 'tool', tool_call_id: 'nowhere', content: 'an orphan' },
    { role: 'tool', content: 'a result without an id' },
    { role: 'tool', tool_call_id: 'call_0_0', content: 'a result again' },
    { role: 'system', content: 'a system prompt in the middle' },
    { role: 'function', name: 'old', content: 'a role of the past' },
    { role: 5, content: 'no role' },
    { content: 'no role at all' },
    {},
    { role: 'user' },
    { role: 'user', content: null },
    { role: 'user', content: 42 },
    { role: 'user', content: { text: 'an object' } },
    { role: 'user', content: [null, 'text', 7, { type: 5 }, { type: 'text', text: null }] },
    { role: 'tool', tool_call_id: 'call_0_0', content: null },
    { role: 'assistant', content: [] },
    { role: 'assistant', content: null },
    { role: 'assistant', content: '', tool_calls: 'none' },
    { role: 'assistant', content: null, tool_calls: [] },
    { role: 'assistant', content: null, tool_calls: [null, 5, {}, { id: 'x' }] },
    { role: 'assistant', tool_calls: [{ id: 'x', type: 'function', function: {} }] },
    { role: 'assistant', tool_calls: [{ id: 'x', type: 'custom', custom: { name: 'n', input: 5 } }] },
    { role: 'assistant', tool_calls: [call('a', '{"not json'), call('a', '{}'), call('b', '')] },
    { role: 'assistant', tool_calls: [call('o', { an: 'object' }), { ...call('p', '{}'), id: 9 }] },
  ),
  fc.record({ role: fc.jsonValue({ maxDepth: 1 }), content: fc.jsonValue({ maxDepth: 2 }) }),
)

function call(id: string, args: unknown): object {
  return { id, type: 'function', function: { name: 'tool', arguments: args } }
}

/** Generates a conversation with missing, repeated, moved or wrongly typed messages, as faulty hosts send. */
export function brokenConversation(options: ConversationOptions = {}): fc.Arbitrary<Message[]> {
  const damage = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), at: fc.nat(40), what: junk }),
    fc.record({ kind: fc.constantFrom('drop' as const, 'double' as const), at: fc.nat(40) }),
    fc.record({ kind: fc.constant('move' as const), at: fc.nat(40), to: fc.nat(40) }),
  )
  return fc
    .tuple(conversation(options), fc.array(damage, { minLength: 1, maxLength: 5 }))
    .map(([messages, damages]) => {
      const list: unknown[] = [...messages]
      for (const step of damages) {
        const at = step.at % (list.length + 1)
        if (step.kind === 'insert') list.splice(at, 0, step.what)
        else if (step.kind === 'drop') list.splice(at, 1)
        else if (step.kind === 'double' && list[at] !== undefined) list.splice(at, 0, list[at])
        else if (step.kind === 'move') list.splice(step.to % (list.length + 1), 0, ...list.splice(at, 1))
      }
      return list as Message[]
    })
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}
