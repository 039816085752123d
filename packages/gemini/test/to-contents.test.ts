import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { toContents } from '../src/to-contents.ts'

/** A conversation that may be anything at run time. */
const messagesOf = (...messages: unknown[]) => messages as Message[]
const user = (content: unknown) => ({ role: 'user', content })
const call = (id: string, name = 'f', args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const calls = (...tool_calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls })
const result = (tool_call_id: string, content: unknown) => ({ role: 'tool', tool_call_id, content })
const contentsOf = (...messages: unknown[]) =>
  toContents(messagesOf(...messages), 'gemini-2.5-flash').contents

describe('toContents', () => {
  it('puts every instruction into the system instruction, in order', () => {
    const prompt = toContents(
      messagesOf({ role: 'system', content: 'Be kind.' }, user('Hi'), {
        role: 'developer',
        content: [{ type: 'text', text: 'Be brief.' }],
      }),
      'gemini-2.5-flash',
    )
    expect(prompt.systemInstruction).toEqual({ parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] })
    expect(prompt.contents).toEqual([{ role: 'user', parts: [{ text: 'Hi' }] }])
  })

  it('merges neighbours of one role, so that a call follows the user', () => {
    expect(
      contentsOf(
        user('a'),
        user('b'),
        { role: 'assistant', content: 'thinking' },
        calls(call('1')),
        result('1', 'ok'),
        user('c'),
      ),
    ).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
      { role: 'model', parts: [{ text: 'thinking' }, { functionCall: { id: '1', name: 'f', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: '1', name: 'f', response: { output: 'ok' } } }, { text: 'c' }],
      },
    ])
  })

  it.each([
    ['{"celsius":14}', { celsius: 14 }],
    ['{"error":"no such city"}', { error: 'no such city' }],
    ['[1,2]', { output: '[1,2]' }],
    ['"text"', { output: '"text"' }],
    ['Error: not found', { output: 'Error: not found' }],
    ['', { output: '' }],
    ['{"id":12345678901234567890}', { output: '{"id":12345678901234567890}' }],
    ['{"n":1e999}', { output: '{"n":1e999}' }],
    [
      [
        { type: 'text', text: '{"a":' },
        { type: 'text', text: '1}' },
      ],
      { a: 1 },
    ],
  ])('gives the result %j to the model', (content, response) => {
    const [, , results] = contentsOf(user('go'), calls(call('1')), result('1', content))
    expect(results?.parts?.[0]?.functionResponse?.response).toEqual(response)
  })

  it.each([
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['', {}],
    ['[1]', { input: [1] }],
    ['{"cut": "of', { input: '{"cut": "of' }],
  ])('takes the arguments %j', (text, args) => {
    const [, model] = contentsOf(user('go'), calls(call('1', 'f', text)), result('1', 'ok'))
    expect(model?.parts?.[0]?.functionCall?.args).toEqual(args)
  })

  it('completes a transaction without all results, and keeps results without a call', () => {
    const contents = contentsOf(
      user('go'),
      calls(call('1'), call('2')),
      result('2', 'two'),
      result('9', 'nine'),
    )
    expect(contents[2]?.parts).toEqual([
      { functionResponse: { id: '1', name: 'f', response: { error: 'no result was recorded' } } },
      { functionResponse: { id: '2', name: 'f', response: { output: 'two' } } },
      { text: '[result of a tool call that is not shown]\nnine' },
    ])
  })

  it.each([
    [
      'an image as bytes',
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
    ],
    [
      'an image that is not base64',
      { type: 'image_url', image_url: { url: 'data:image/svg+xml,%3Csvg/%3E' } },
      { inlineData: { mimeType: 'image/svg+xml', data: 'PHN2Zy8+' } },
    ],
    [
      'an image at an address',
      { type: 'image_url', image_url: { url: 'https://x.test/a.webp?s=1' } },
      { fileData: { fileUri: 'https://x.test/a.webp?s=1', mimeType: 'image/webp' } },
    ],
    [
      'sound',
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
      { inlineData: { mimeType: 'audio/mp3', data: 'aGk=' } },
    ],
    [
      'a file as a data URL',
      { type: 'file', file: { file_data: 'data:text/csv;base64,aGk=' } },
      { inlineData: { mimeType: 'text/csv', data: 'aGk=' } },
    ],
    [
      'a file as bare base64',
      { type: 'file', file: { file_data: 'aGk=', filename: 'a.txt' } },
      { inlineData: { mimeType: 'text/plain', data: 'aGk=' } },
    ],
  ])('sends %s', (_name, part, expected) => {
    expect(contentsOf(user([part]))).toEqual([{ role: 'user', parts: [expected] }])
  })

  it('shows an image in a tool result beside the result', () => {
    const shot = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }
    const [, , results] = contentsOf(
      user('go'),
      calls(call('1')),
      result('1', [{ type: 'text', text: 'seen' }, shot]),
    )
    expect(results?.parts).toEqual([
      { functionResponse: { id: '1', name: 'f', response: { output: 'seen' } } },
      { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
    ])
  })

  it.each([
    ['gemini-3-flash', true],
    ['models/gemini-3.1-pro-preview', true],
    ['gemini-flash-latest', true],
    ['gemini-4-argon', true],
    ['gemini-2.5-pro', false],
    ['gemma-3-27b-it', false],
  ])('says for %s that a signature is absent: %s', (model, expected) => {
    const messages = messagesOf(user('go'), calls(call('1'), call('2')), result('1', 'ok'), result('2', 'ok'))
    const parts = toContents(messages, model).contents[1]?.parts
    expect(parts?.map((part) => part.thoughtSignature !== undefined)).toEqual([expected, false])
  })
})
