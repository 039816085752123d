import { createIdentifierMemory, EXCERPTS_HEADING } from '@palimpsest/extractive'
import { describe, expect, it } from 'vitest'
import { condensedRequest } from '../../src/engine/condensed-request.ts'
import type { SummaryNode } from '../../src/store/summary-node.ts'
import { tokens, user } from './harness.ts'

const node = (number: number, text: string): SummaryNode => ({
  ...{ number, depth: 0, first: number * 10, last: number * 10 + 9, messages: 10, children: [], text },
  ...{
    tokens: tokens.countText(text),
    sourceTokens: 1000,
    from: 0,
    to: 0,
    at: 0,
    writer: 'extractive',
    hash: '',
  },
})
const request = (texts: readonly string[], memory = createIdentifierMemory()) =>
  condensedRequest(
    texts.map((text, index) => node(index + 1, text)),
    { target: 1000, prose: 300, maxBlock: Infinity, focusTopic: undefined, tokens, memory },
  )
const excerpts = (...lines: string[]) => [EXCERPTS_HEADING, ...lines].join('\n')

describe('a summary of summaries', () => {
  it('quotes the lines of all of them, in order and with their numbers, below one heading', async () => {
    const [early, late] = ['- m11 user: Build the importer.', '- m21 user: Build the exporter.']
    const text = await request([excerpts(early), excerpts(late)]).frame('', {
      excerptTokens: 200,
      identifierTokens: 0,
    })
    expect(text).toBe(excerpts(early, late))
  })

  it('keeps the first request of the conversation when there is no room for more', async () => {
    const first = '- m11 user: Build the importer.'
    const others = Array.from({ length: 40 }, (_, at) => `- m${at + 21} user: Go on with part ${at}.`)
    const room = { excerptTokens: 60, identifierTokens: 0 }
    const text = await request([excerpts(first), excerpts(...others)]).frame('', room)
    expect(text).toContain(first)
    expect(text).not.toContain('part 3.')
    expect(tokens.countText(text)).toBeLessThanOrEqual(60)
  })

  it('lists of their identifiers those that the session needed most', async () => {
    const memory = createIdentifierMemory()
    memory.add(
      Array.from({ length: 6 }, () => user('settleLedger again')),
      0,
    )
    const lists = [`## Identifiers\n${'a'.repeat(3)}Name flushQueue drainQueue settleLedger`]
    const text = await request(lists, memory).frame('', { excerptTokens: 0, identifierTokens: 14 })
    expect(text).toContain('settleLedger')
    expect(text).not.toContain('drainQueue')
  })

  it('has a model read what a model wrote, and keeps the lines and lists beside it', async () => {
    const whole = `## Goal\nAn importer.\n\n${excerpts('- m11 user: Build it.')}\n\n## Identifiers\nsrc/a.ts`
    const { material, frame } = request([whole, excerpts('- m21 user: Test it.')])
    expect(material()).toBe(
      `[s1, messages m10 to m19]\n## Goal\nAn importer.\n\n[s2, messages m20 to m29]\n${excerpts('- m21 user: Test it.')}`,
    )
    const text = await frame('## Goal\nImporter.', { excerptTokens: 100, identifierTokens: 100 })
    expect(text).toBe(
      `## Goal\nImporter.\n\n${excerpts('- m11 user: Build it.', '- m21 user: Test it.')}\n\n## Identifiers\nsrc/a.ts`,
    )
  })
})
