import { createIdentifierMemory } from '@palimpsest/extractive'
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
    { target: 1000, maxBlock: Infinity, focusTopic: undefined, tokens, memory },
  )

describe('a summary of summaries', () => {
  const text = (name: string) =>
    `## Goal\n- user: "Build ${name}."\n\n## Progress\n### In Progress\n- last call run ${name} (ok)\n\n## Next Steps\n- test ${name}`

  it('tells what was under way and planned at the end of the last one only', () => {
    const extract = request([text('the importer'), text('the exporter')]).extract(2000)
    expect(extract).toContain('Build the importer.')
    expect(extract).toContain('last call run the exporter')
    expect(extract).toContain('test the exporter')
    expect(extract).not.toContain('last call run the importer')
    expect(extract).not.toContain('test the importer')
  })

  it('lists of their identifiers those that the session needed most', () => {
    const memory = createIdentifierMemory()
    memory.add(
      Array.from({ length: 6 }, () => user('settleLedger again')),
      0,
    )
    const lists = [`## Identifiers\nsymbols: ${'a'.repeat(3)}Name flushQueue drainQueue settleLedger`]
    const appendix = request(lists, memory).appendix('', 14)
    expect(appendix).toContain('settleLedger')
    expect(appendix).not.toContain('drainQueue')
  })
})
