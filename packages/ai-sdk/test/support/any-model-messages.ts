import type { ModelMessage } from 'ai'
import fc from 'fast-check'

/** Any JSON but one that JSON itself changes, such as -0. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)))
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', '{"a":1}', 'data:,x', 'https://example.com/a', '__proto__'),
)
const id = fc.constantFrom('call-1', 'call-2', 'call-3', '__proto__')
const name = fc.constantFrom('read', 'write', 'constructor')
const base64 = fc.base64String({ minLength: 4, maxLength: 12 })
const url = fc.webUrl().map((address) => new URL(address))
const mediaType = fc.constantFrom(
  'image',
  'image/png',
  'image/*',
  'audio/wav',
  'audio/mpeg',
  'application/pdf',
  'text/plain',
)
const reference = fc.record({ openai: fc.string() })

const maybe = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((some) => (some === undefined ? {} : { [key]: some }))
const all = (...pieces: fc.Arbitrary<object>[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(...pieces).map((objects) => Object.assign({}, ...objects))
const options = maybe(
  'providerOptions',
  fc.dictionary(fc.constantFrom('anthropic', 'google', 'ai-sdk'), fc.dictionary(text, json, { maxKeys: 2 }), {
    maxKeys: 2,
  }),
)
const unknownMember = maybe('fromTheFuture', json)

const tagged = fc.oneof(
  fc.record({ type: fc.constant('data'), data: base64 }),
  all(fc.record({ type: fc.constant('url'), url }), maybe('originalUrl', fc.string())),
  fc.record({ type: fc.constant('text'), text }),
  fc.record({ type: fc.constant('reference'), reference }),
)
const payload = fc.oneof(base64, url, reference, tagged, fc.constant('data:image/png;base64,AAAA'))
const textPart = all(fc.record({ type: fc.constant('text'), text }), options, unknownMember)
const filePart = all(
  fc.record({ type: fc.constant('file'), data: payload, mediaType }),
  maybe('filename', fc.string()),
  options,
  unknownMember,
)
const imagePart = all(
  fc.record({ type: fc.constant('image'), image: fc.oneof(base64, url, reference) }),
  maybe('mediaType', fc.constant('image/jpeg')),
  options,
)
const customPart = all(
  fc.record({ type: fc.constant('custom'), kind: fc.constant('openai.compaction') }),
  options,
)

const outputItem = fc.oneof(
  textPart,
  all(fc.record({ type: fc.constant('file'), data: tagged, mediaType }), options),
  fc.record({ type: fc.constantFrom('file-data', 'image-data'), data: base64, mediaType }),
  fc.record({ type: fc.constantFrom('file-url', 'image-url'), url: fc.webUrl() }),
  fc.record({ type: fc.constant('file-id'), fileId: fc.oneof(fc.string(), reference) }),
  customPart,
)
const output = fc.oneof(
  all(fc.record({ type: fc.constantFrom('text', 'error-text'), value: text }), options),
  all(fc.record({ type: fc.constantFrom('json', 'error-json'), value: json }), options),
  all(fc.record({ type: fc.constant('content'), value: fc.array(outputItem, { maxLength: 3 }) }), options),
  all(fc.record({ type: fc.constant('execution-denied') }), maybe('reason', text), options),
)
const result = all(
  fc.record({ type: fc.constant('tool-result'), toolCallId: id, toolName: name, output }),
  options,
  unknownMember,
)
const call = all(
  fc.record({ type: fc.constant('tool-call'), toolCallId: id, toolName: name, input: json }),
  maybe('providerExecuted', fc.boolean()),
  options,
)
const approvalRequest = fc.record({
  type: fc.constant('tool-approval-request'),
  approvalId: fc.uuid(),
  toolCallId: id,
})
const approvalResponse = all(
  fc.record({ type: fc.constant('tool-approval-response'), approvalId: fc.uuid(), approved: fc.boolean() }),
  maybe('reason', text),
  maybe('providerExecuted', fc.boolean()),
)
const reasoning = all(fc.record({ type: fc.constant('reasoning'), text }), options)
const reasoningFile = all(
  fc.record({ type: fc.constant('reasoning-file'), data: fc.oneof(base64, url), mediaType }),
  options,
)
const unknownPart = fc.record({ type: fc.constant('hologram'), light: json })

const content = (parts: fc.Arbitrary<unknown>[]) =>
  fc.oneof(text, fc.array(fc.oneof(...parts), { maxLength: 5 }))
const message = fc.oneof(
  all(
    fc.record({ role: fc.constant('user'), content: content([textPart, filePart, imagePart, unknownPart]) }),
    options,
  ),
  all(
    fc.record({
      role: fc.constant('assistant'),
      content: content([
        textPart,
        reasoning,
        reasoningFile,
        call,
        call,
        approvalRequest,
        result,
        customPart,
        filePart,
        unknownPart,
      ]),
    }),
    options,
    maybe('id', fc.uuid()),
  ),
  all(
    fc.record({
      role: fc.constant('tool'),
      content: fc.array(fc.oneof(result, result, approvalResponse), { maxLength: 4 }),
    }),
    options,
  ),
  all(fc.record({ role: fc.constant('system'), content: text }), options),
)

/**
 * Anything that the types of the AI SDK allow, in any order, and members that they do not know. The generators cannot
 * be typed part by part without writing those types again.
 */
export const anyModelMessages = fc.array(message, { maxLength: 10 }) as unknown as fc.Arbitrary<
  ModelMessage[]
>
