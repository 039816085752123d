import { describe, expect, it } from 'vitest'
import {
  contentParts,
  type Message,
  messageText,
  type ToolCall,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '../../src/index.ts'

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

describe('contentParts', () => {
  it('gives a text one part and nothing none', () => {
    expect(contentParts(of({ role: 'user', content: 'a' }))).toEqual([{ type: 'text', text: 'a' }])
    expect(contentParts(of({ role: 'user', content: '' }))).toEqual([])
    expect(contentParts(of({ role: 'assistant' }))).toEqual([])
  })
})

describe('toolCallsOf', () => {
  it('gives the calls of assistants only, the same list', () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }]
    expect(toolCallsOf(of({ role: 'assistant', tool_calls: calls }))).toBe(calls)
    expect(toolCallsOf(of({ role: 'user', tool_calls: calls }))).toEqual([])
    expect(toolCallsOf(of({ role: 'assistant', tool_calls: null }))).toEqual([])
    expect(toolCallsOf(of({ role: 'assistant', tool_calls: [null, calls[0]] }))).toEqual(calls)
    expect(toolCallsOf(of(null))).toEqual([])
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
