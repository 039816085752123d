import { freezeMessage, type Message, type ToolSchema, roughTokenCounter as tokens } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLayouter } from '../../src/layout/create-layouter.ts'
import { openaiMessagesWire } from '../../src/wire/openai-messages/openai-messages-wire.ts'

const wire = openaiMessagesWire('native')
const text = fc.constantFrom('a', 'b', 'c')

const message: fc.Arbitrary<Message> = fc.oneof(
  text.map((content): Message => ({ role: 'user', content })),
  text.map((content): Message => ({ role: 'user', content: [{ type: 'text', text: content }] })),
  text.map(
    (content): Message => ({
      role: 'assistant',
      content,
      providerData: { anthropic: { reasoning: [{ type: 'thinking', thinking: content, signature: 's' }] } },
    }),
  ),
  fc.constant<Message>({ role: 'assistant', content: '' }),
  text.map(
    (name): Message => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: '{}' } }],
    }),
  ),
  text.map((content): Message => ({ role: 'tool', tool_call_id: 'a', content })),
)
const tool = text.map((name): ToolSchema => ({ type: 'function', function: { name, parameters: {} } }))
const place = fc.nat(20)

/** The changes that a host makes between two requests. */
const edit = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), messages: fc.array(message, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('insert' as const), message, place }),
  fc.record({ kind: fc.constant('remove' as const), place, count: fc.nat(3) }),
  fc.record({ kind: fc.constant('repeat' as const), place }),
  fc.record({ kind: fc.constant('tool' as const), tool }),
  fc.record({ kind: fc.constant('less tools' as const) }),
  fc.record({ kind: fc.constant('system' as const), content: fc.constantFrom(null, 'a system prompt') }),
  fc.record({ kind: fc.constant('change in place' as const), place }),
)

describe('a layouter that remembers', () => {
  it('lays out as one that does not, whatever the host changed', () => {
    let layouts = 0
    const property = fc.property(
      fc.boolean(),
      fc.array(edit, { minLength: 1, maxLength: 14 }),
      fc.constantFrom(undefined, 1, 8),
      (isFrozen, edits, staticSystem) => {
        const warm = createLayouter(wire, tokens)
        const own = <T extends Message | ToolSchema>(value: T): T =>
          isFrozen ? freezeMessage(structuredClone(value)) : value
        let messages: Message[] = []
        let tools: ToolSchema[] = []
        let system: Message[] = []
        for (const step of edits) {
          if (step.kind === 'append') messages = [...messages, ...step.messages.map(own)]
          if (step.kind === 'insert') messages = messages.toSpliced(step.place, 0, own(step.message))
          if (step.kind === 'remove') messages = messages.toSpliced(step.place % 7, step.count)
          if (step.kind === 'repeat') messages = [...messages, ...messages.slice(step.place, step.place + 1)]
          if (step.kind === 'tool') tools = [...tools, own(step.tool)]
          if (step.kind === 'less tools') tools = tools.slice(1)
          if (step.kind === 'system')
            system = step.content === null ? [] : [own({ role: 'system', content: step.content })]
          const changed = step.kind === 'change in place' ? messages[step.place] : undefined
          if (changed?.role === 'user' && !isFrozen) Object.assign(changed, { content: 'changed' })
          const request = { messages: [...system, ...messages], tools }
          const fresh = createLayouter(wire, tokens).layout(request, staticSystem)
          expect(warm.layout(request, staticSystem)).toEqual(fresh)
          layouts++
        }
      },
    )
    fc.assert(property, { numRuns: 400 })
    console.log(`${layouts} layouts, each as a fresh layouter makes it`)
  })
})
