import { renderFrame, withRecord } from '@palimpsest/summaries'
import { describe, expect, it } from 'vitest'
import { condensedRequest, leafRequest } from '../../src/engine/node-request.ts'
import type { SummaryNode } from '../../src/store/lcm-session.ts'
import { assistant, calls, result, tokens, user, words } from './harness.ts'

const node = (number: number, text: string): SummaryNode => ({
  ...{ number, depth: 0, first: number * 10, last: number * 10 + 9, messages: 10, children: [], text },
  ...{
    tokens: tokens.countText(text),
    sourceTokens: 1000,
    from: 0,
    to: 0,
    at: 0,
    writer: 'model',
    hash: '',
  },
})
const block = (...messages: Parameters<typeof tokens.countMessage>[0][]) =>
  messages.map((message, index) => ({
    ...{ seq: index + 11, message, tokens: tokens.countMessage(message), at: 0, hash: '' },
  }))
const RULE = 'Always use tabs.'

describe('a leaf', () => {
  it('reads its messages in order by their numbers, and takes a fifth of them, at least a tenth of the source', () => {
    const source = block(user(RULE), calls('a'), result('a', words(4_000)), assistant('Done.'))
    const request = leafRequest(source, { before: node(1, '## Goal\nBefore.'), records: 10_000, tokens })
    expect(request.texts.map((text) => text.slice(0, 12))).toEqual([
      'm11 [user] A',
      'm12 [assista',
      'm13 [tool re',
      'm14 [assista',
    ])
    expect(request.before).toBe('## Goal\nBefore.')
    // A file body is cut for the model; the record is still a tenth of it.
    expect(request.texts.join('').length).toBeLessThan(2_000)
    expect(request.maxTokens).toBe(Math.floor(request.sourceTokens / 10))
    expect(request.frame.rules).toEqual([`m11: ${RULE}`])
  })

  it('takes no more than there is room for', () => {
    expect(
      leafRequest(block(user(words(4_000))), { before: undefined, records: 300, tokens }).maxTokens,
    ).toBe(120)
  })
})

describe('a summary of summaries', () => {
  it('has a model join the records, and keeps what code knows of them', () => {
    const nodes = [
      node(1, `## Goal\nAn importer.\n\n## The user's rules, word for word\n- m11: ${RULE}`),
      node(2, '## Goal\nAn exporter.\n\n## Files that calls changed\n- src: a.ts (created)'),
    ]
    const { texts, frame, depth } = condensedRequest(nodes, { records: 1_000, tokens })
    expect(depth).toBe(1)
    expect(texts).toEqual([
      '[s1, messages m10 to m19]\n## Goal\nAn importer.',
      '[s2, messages m20 to m29]\n## Goal\nAn exporter.',
    ])
    const text = renderFrame(withRecord(frame, '## Goal\nBoth.', []), { maxTokens: 1_000, said: 0, tokens })
    expect(text).toBe(
      `## Goal\nBoth.\n\n## The user's rules, word for word\n- m11: ${RULE}\n\n## Files that calls changed\n- src: a.ts (created)`,
    )
  })

  it('reads nothing of a summary that was deleted', () => {
    const gone = { ...node(2, '## Goal\nSecret.'), forgotten: { at: 0, reason: 'asked' } }
    expect(
      condensedRequest([node(1, '## Goal\nA.'), gone], { records: 100, tokens }).texts.join(),
    ).not.toContain('Secret')
  })
})
