import { describe, expect, it } from 'vitest'
import { type Message, messageText, type ToolCall, toolCallInput, toolCallName } from '../../src/index.ts'

const of = (message: unknown) => message as Message
const callOf = (call: unknown) => call as ToolCall

describe('messageText', () => {
  it.each([
    [{ role: 'user', content: 'a' }, 'a'],
    [
      {
        role: 'user',
        content: [{ type: 'text', text: 'a' }, { type: 'image_url' }, { type: 'text', text: 'b' }],
      },
      'a\nb',
    ],
    [{ role: 'assistant', content: null, refusal: 'no' }, 'no'],
    [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }, 'no'],
    [{ role: 'assistant', content: 'a', refusal: 'b' }, 'a\nb'],
    [{ role: 'user', content: null }, ''],
    [{ role: 'user', content: [null, 5, { type: 'text', text: 5 }] }, ''],
    [{ role: 'user' }, ''],
  ])('of %j is %j', (message, text) => {
    expect(messageText(of(message))).toBe(text)
  })
})

describe('toolCallName and toolCallInput', () => {
  it.each([
    [{ type: 'function', function: { name: 'f', arguments: '{"a":1}' } }, 'f', '{"a":1}'],
    [{ type: 'function', function: { name: 'f', arguments: { a: 1 } } }, 'f', '{"a":1}'],
    [{ type: 'custom', custom: { name: 'c', input: 'free text' } }, 'c', 'free text'],
    [{ type: 'custom' }, '', ''],
    [{}, '', ''],
  ])('read %j', (call, name, input) => {
    expect(toolCallName(callOf(call))).toBe(name)
    expect(toolCallInput(callOf(call))).toBe(input)
  })
})
