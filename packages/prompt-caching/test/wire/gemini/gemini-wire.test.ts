import { renderSummary, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createLayouter } from '../../../src/layout/create-layouter.ts'
import type { GeminiRequest } from '../../../src/wire/gemini/gemini-request.ts'
import { geminiWire } from '../../../src/wire/gemini/gemini-wire.ts'
import { blocksOf, onMessage } from '../ai-sdk/requests.ts'

const request: GeminiRequest = {
  model: 'gemini-2.5-pro',
  contents: [
    { role: 'user', parts: [{ text: renderSummary('They met.') }] },
    { role: 'user', parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } }] },
    { role: 'model', parts: [{ text: 'Hm.', thought: true }, { functionCall: { name: 'read' } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read' } }] },
    { role: 'model', parts: [{ text: 'Read.' }] },
  ],
  config: {
    systemInstruction: ['You help.', { text: 'Always.' }],
    tools: [{ functionDeclarations: [{ name: 'read' }] }],
  },
}

describe('a request of Gemini', () => {
  it('is read into blocks; a cache can end where no call waits for its response', () => {
    expect(blocksOf(geminiWire, request).map(({ role, kind, carries }) => [role, kind, carries])).toEqual([
      ['system', 'tool', false],
      ['system', 'system', false],
      ['system', 'system', true],
      ['user', 'text', true],
      ['user', 'text', false],
      ['user', 'image', true],
      ['assistant', 'thinking', false],
      ['assistant', 'tool-use', false],
      ['tool', 'tool-result', true],
      ['assistant', 'text', true],
    ])
    expect(blocksOf(geminiWire, request).filter(({ isSummary }) => isSummary)).toHaveLength(1)
  })

  it('has no markers: it comes back as it is', () => {
    expect(geminiWire.apply(request, [onMessage(0)])).toBe(request)
    expect(geminiWire.strip(request)).toBe(request)
  })

  it('begins like the request before, as far as nothing is changed', () => {
    const { layout } = createLayouter(geminiWire, roughTokenCounter, {
      keepsThinking: true,
      effortChangesAll: false,
    })
    const before = layout(request).hashes
    const longer = layout({
      ...request,
      contents: [...request.contents, { role: 'user', parts: [{ text: 'Go on.' }] }],
    })
    expect(longer.hashes.slice(0, before.length)).toEqual(before)
    const other = layout({ ...request, config: { ...request.config, systemInstruction: 'You hinder.' } })
    expect(other.hashes.slice(0, 3)).toEqual(before.slice(0, 3))
    expect(other.hashes[3]).not.toBe(before[3])
  })
})
