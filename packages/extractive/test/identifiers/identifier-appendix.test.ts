import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifierAppendix } from '../../src/index.ts'
import { call, conversations, quarter, user, words } from '../conversation.ts'

const input = { covered: '', maxTokens: 400, tokens: quarter }

describe('identifierAppendix', () => {
  it('lists identifiers on one line', () => {
    const messages = [
      user('Fix fooBar in src/a.ts, see #12.'),
      ...call('bash', { command: 'x' }, 'wrote "Bluefin orders" to out/list.csv'),
    ]
    const [heading, list = '', ...rest] = identifierAppendix({ ...input, messages }).split('\n')
    expect([heading, ...rest]).toEqual(['## Identifiers'])
    expect(list.split(' ').toSorted()).toEqual([
      '"Bluefin',
      '#12',
      'fooBar',
      'orders"',
      'out/list.csv',
      'src/a.ts',
    ])
  })

  it('leaves out what the covered text and the messages beside it carry', () => {
    const messages = [user('fooBar bazQux src/a.ts')]
    const visible = [user('In src/a.ts.')]
    const appendix = identifierAppendix({ ...input, messages, visible, covered: 'fooBar is done' })
    expect(appendix).toBe('## Identifiers\nbazQux')
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
      messages: Array.from({ length: 9 }, () => user('keyThing')),
    })
    const second = identifierAppendix({ ...input, messages: [user('newThing')], previousAppendix: first })
    expect(second).toMatch(/^## Identifiers\n(?:newThing keyThing|keyThing newThing)$/)
  })

  it('catches the names that a summary lets go', () => {
    const appendix = identifierAppendix({
      ...input,
      messages: [user('hello')],
      covered: 'see /a/b.bin',
      previousAppendix: '## Progress\n- fooBar was moved to /a/b.bin',
    })
    expect(appendix).toBe('## Identifiers\nfooBar')
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
