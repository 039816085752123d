import type { AssistantMessage, Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answer, chunk, stream } from './support/fake-gemini.ts'
import { chatWith } from './support/models.ts'

interface WirePart {
  text?: string
  functionCall?: { id?: string; name: string; args: Record<string, unknown> }
  inlineData?: { mimeType: string; data: string }
  executableCode?: { code: string; language: string }
  thoughtSignature?: string
}

const signature = fc.base64String({ minLength: 4, maxLength: 12 })
const maybe = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((some) => (some === undefined ? {} : { [key]: some }))

const args = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)))
const signedText = fc.record({ text: fc.string(), thoughtSignature: signature })
const plainText = fc.record({ text: fc.string({ minLength: 1 }) })
const functionCall = fc.record({ name: fc.constantFrom('read', 'write'), args })
const callPart = fc
  .tuple(functionCall, maybe('id', fc.uuid()), maybe('thoughtSignature', signature))
  .map(([call, id, signed]) => ({ functionCall: { ...id, ...call }, ...signed }))
const image = fc
  .tuple(fc.base64String({ minLength: 4 }), maybe('thoughtSignature', signature))
  .map(([data, signed]) => ({ inlineData: { mimeType: 'image/png', data }, ...signed }))
const code = fc
  .tuple(fc.string({ minLength: 1 }), maybe('thoughtSignature', signature))
  .map(([text, signed]) => ({ executableCode: { code: text, language: 'PYTHON' }, ...signed }))

/** Parts that a model may write: anything in any order, but no two plain texts in a row, which are one text. */
const parts = fc
  .array(fc.oneof(signedText, plainText, callPart, image, code) as fc.Arbitrary<WirePart>, {
    minLength: 1,
    maxLength: 8,
  })
  .map((all) => all.filter((part, index) => !(isPlain(part) && isPlain(all[index - 1]))))
  .filter((all) => all.some((part) => part.functionCall || part.inlineData || part.text?.trim()))

const isPlain = (part: WirePart | undefined) =>
  part?.text !== undefined && part.thoughtSignature === undefined

const question: Message = { role: 'user', content: 'Go on.' }
const resultsOf = (message: AssistantMessage): Message[] =>
  (message.tool_calls ?? []).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' }))

describe('what the model wrote', () => {
  it.each(['whole', 'streamed'] as const)(
    'goes back to it part by part, signatures included (%s)',
    async (how) => {
      await fc.assert(
        fc.asyncProperty(parts, fc.integer({ min: 1, max: 40 }), async (written, size) => {
          const events = written.map((part, index) => chunk([part], index === written.length - 1))
          const reply = how === 'whole' ? answer(written) : stream(events, { pieces: [size] })
          const { model, requests } = chatWith([reply, answer([{ text: 'done' }])], {
            model: 'gemini-2.5-pro',
          })
          const { message } = await model.chat({
            messages: [question],
            ...(how === 'whole' ? {} : { onText: () => {} }),
          })
          await model.chat({ messages: [question, message, ...resultsOf(message), question] })
          expect(requests[1]?.body.contents[1]?.parts).toEqual(written)
        }),
        { numRuns: 60 },
      )
    },
  )

  it('may lose its reasoning: the request is still one that Gemini 3 takes', async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (written) => {
        const { model } = chatWith([answer(written), answer([{ text: 'done' }])], { model: 'gemini-3-pro' })
        const { message } = await model.chat({ messages: [question] })
        const stripped = JSON.parse(JSON.stringify(message), (key, value) =>
          key === 'providerData' ? undefined : value,
        )
        const response = await model.chat({ messages: [question, stripped, ...resultsOf(stripped)] })
        expect(response.message.content).toBe('done')
      }),
      { numRuns: 60 },
    )
  })
})
