import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifierAppendix } from '../../src/index.ts'
import { call, conversations, quarter, user, words } from '../conversation.ts'

const input = { covered: '', maxTokens: 400, tokens: quarter }

describe('identifierAppendix', () => {
  it('lists values and identifiers by kind', () => {
    const messages = [
      user('Fix fooBar in src/a.ts, see #12.'),
      ...call('bash', { command: 'x' }, 'The port of the proxy is 8443.'),
    ]
    expect(identifierAppendix({ ...input, messages })).toBe(
      [
        '## Identifiers',
        'values: port of the proxy is 8443',
        'paths: src/a.ts',
        'symbols: fooBar',
        'references: #12',
      ].join('\n'),
    )
  })

  it('leaves out what the covered text carries', () => {
    const messages = [
      user('fooBar bazQux'),
      ...call('bash', { command: 'x' }, 'The port of the proxy is 8443.'),
    ]
    const appendix = identifierAppendix({ ...input, messages, covered: 'fooBar listens on 8443' })
    expect(appendix).toBe('## Identifiers\nsymbols: bazQux')
  })

  it('prefers what was mentioned often and lately', () => {
    const messages = [
      user('oldOnce'),
      ...Array.from({ length: 30 }, () => user('often_said')),
      user('lastOnce'),
    ]
    const appendix = identifierAppendix({ ...input, messages, maxTokens: 12 })
    expect(appendix).toContain('often_said')
    expect(appendix).not.toContain('oldOnce')
  })

  it('keeps valuable entries of an earlier appendix, and ranks them against new ones', () => {
    const first = identifierAppendix({
      ...input,
      messages: [...Array.from({ length: 9 }, () => user('keyThing')), user('The path of K is /a/b.bin.')],
    })
    const second = identifierAppendix({ ...input, messages: [user('newThing')], previousAppendix: first })
    expect(second.split('\n')).toEqual([
      '## Identifiers',
      'values: path of K is /a/b.bin',
      'symbols: newThing keyThing',
    ])
  })

  it('catches the values that a summary lets go', () => {
    const summary =
      '## Critical Context\n- t1 user: port of the proxy is 8443\n- path of K is /a/b.bin\n- other symbols: fooBar'
    const appendix = identifierAppendix({
      ...input,
      messages: [user('hello')],
      covered: 'see /a/b.bin',
      previousAppendix: summary,
    })
    expect(appendix).toBe('## Identifiers\nvalues: port of the proxy is 8443\nsymbols: fooBar')
  })

  it('is empty when nothing is left to say or nothing fits', () => {
    expect(identifierAppendix({ ...input, messages: [user('hello')] })).toBe('')
    expect(identifierAppendix({ ...input, messages: [user('fooBar')], maxTokens: 3 })).toBe('')
  })

  it('stays within its budget, and a second pass without new messages changes nothing', () => {
    fc.assert(
      fc.property(
        conversations,
        fc.integer({ min: 0, max: 300 }),
        fc.constantFrom(quarter, words),
        (messages, maxTokens, tokens) => {
          const appendix = identifierAppendix({ messages, covered: '', maxTokens, tokens })
          expect(tokens.countText(appendix)).toBeLessThanOrEqual(maxTokens)
          expect(
            identifierAppendix({ messages: [], covered: '', previousAppendix: appendix, maxTokens, tokens }),
          ).toBe(appendix)
        },
      ),
      { numRuns: 300 },
    )
  })
})
