import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import fc from 'fast-check'

/** Any JSON but one that JSON itself changes, such as -0. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)))
const text = fc.oneof(fc.string(), fc.constantFrom('', '{"a":1}', 'data:,x', '__proto__'))
const id = fc.constantFrom('call-1', 'call-2', 'call-3', '__proto__')
const name = fc.constantFrom('read', 'write', 'constructor')
const base64 = fc.base64String({ minLength: 4, maxLength: 12 })
const mime = fc.constantFrom('image/png', 'audio/wav', 'application/pdf')

const maybe = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((some) => (some === undefined ? {} : { [key]: some }))
const all = (...pieces: fc.Arbitrary<object>[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(...pieces).map((objects) => Object.assign({}, ...objects))
const of = (type: string) => fc.constant({ type })
const unknownMember = maybe('fromTheFuture', json)

const textBlock = all(of('text'), fc.record({ text }), unknownMember)
const mediaBlock = fc.oneof(
  all(fc.record({ type: fc.constantFrom('image', 'audio', 'video', 'file'), data: base64, mimeType: mime })),
  all(fc.record({ type: fc.constantFrom('image', 'audio', 'file'), url: fc.webUrl() }), unknownMember),
  fc.record({ type: fc.constant('file'), fileId: fc.string() }),
  all(
    fc.record({ type: fc.constantFrom('image', 'file'), source_type: fc.constant('base64'), data: base64 }),
    maybe('mime_type', mime),
  ),
  fc.record({
    type: fc.constantFrom('image', 'document'),
    source: fc.oneof(
      fc.record({ type: fc.constant('base64'), media_type: mime, data: base64 }),
      fc.record({ type: fc.constant('url'), url: fc.webUrl() }),
      fc.record({ type: fc.constant('text'), media_type: fc.constant('text/plain'), data: text }),
    ),
  }),
  fc.record({ type: fc.constant('media'), mimeType: mime, fileUri: fc.webUrl() }),
  fc.record({
    type: fc.constant('image_url'),
    image_url: fc.oneof(fc.webUrl(), fc.record({ url: fc.webUrl() })),
  }),
)
const reasoningBlock = fc.oneof(
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
  fc.record({ type: fc.constant('redacted_thinking'), data: base64 }),
  fc.record({ type: fc.constant('reasoning'), reasoning: text }),
  fc.record({ type: fc.constant('reasoning_content'), reasoningText: fc.record({ text, signature: text }) }),
)
const unknownBlock = all(of('server_tool_call'), fc.record({ id, name }), unknownMember)

const contentOf = (...blocks: fc.Arbitrary<Record<string, unknown>>[]) =>
  fc.oneof(text, fc.array(fc.oneof(...blocks), { maxLength: 4 }))
const kwargs = all(
  maybe('audio', fc.record({ id: fc.string() })),
  maybe('__gemini_function_call_thought_signatures__', fc.dictionary(id, text)),
)
const common = all(fc.record({ additional_kwargs: kwargs }), maybe('id', fc.uuid()), maybe('name', name))

const call = all(
  fc.record({ type: fc.constant('tool_call'), id, name, args: fc.dictionary(text, json, { maxKeys: 3 }) }),
  unknownMember,
)
const assistant = fc
  .tuple(
    common,
    contentOf(textBlock, reasoningBlock, unknownBlock),
    fc.uniqueArray(call, { maxLength: 3, selector: (one) => one.id }),
    all(
      maybe('reasoning_content', text),
      maybe('reasoning', fc.record({ encrypted_content: text })),
      maybe('refusal', fc.string({ minLength: 1 })),
    ),
    fc.array(fc.record({ id, name, args: text, error: text }), { maxLength: 1 }),
    fc.constantFrom<unknown>('none', 'tool_use', 'tool_call'),
    maybe('output_version', fc.constant('v1')),
  )
  .map(([fields, content, calls, thoughts, invalid, repeated, metadata]) => {
    // Some providers repeat a call among the blocks.
    const key = repeated === 'tool_use' ? 'input' : 'args'
    const blocks = calls.map((one) => ({
      type: repeated,
      id: one.id,
      name: one.name,
      [key]: one.args,
      caller: {},
    }))
    return new AIMessage({
      ...fields,
      content: Array.isArray(content) && repeated !== 'none' ? [...content, ...blocks] : content,
      tool_calls: calls,
      invalid_tool_calls: invalid,
      additional_kwargs: { ...(fields.additional_kwargs as object), ...thoughts },
      response_metadata: metadata,
    } as never)
  })

const message: fc.Arbitrary<BaseMessage> = fc.oneof(
  { arbitrary: assistant, weight: 3 },
  fc
    .tuple(common, contentOf(textBlock, mediaBlock))
    .map(([fields, content]) => new HumanMessage({ ...fields, content } as never)),
  fc
    .tuple(common, contentOf(textBlock, mediaBlock), id, fc.constantFrom({}, { status: 'error' }))
    .map(
      ([fields, content, tool_call_id, status]) =>
        new ToolMessage({ ...fields, ...status, content, tool_call_id } as never),
    ),
  fc
    .tuple(common, contentOf(textBlock))
    .map(([fields, content]) => new SystemMessage({ ...fields, content } as never)),
  fc
    .tuple(text, fc.constantFrom('assistant', 'critic'))
    .map(([content, role]) => new ChatMessage(content, role)),
  fc.tuple(text, name).map(([content, tool]) => new FunctionMessage({ content, name: tool })),
)

/** Lists of messages in every form that LangChain's providers write and take. */
export const anyMessages: fc.Arbitrary<BaseMessage[]> = fc.array(message, { maxLength: 8 })
