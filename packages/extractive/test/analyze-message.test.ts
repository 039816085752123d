import { describe, expect, it } from 'vitest'
import { analyzeMessage, messageIdentifiers } from '../src/index.ts'
import { call, user } from './conversation.ts'

describe('analyzeMessage', () => {
  it('analyses a message once in its life', () => {
    const message = user('Use `src/a.ts`.')
    expect(analyzeMessage(message)).toBe(analyzeMessage(message))
    expect(analyzeMessage({ ...message })).not.toBe(analyzeMessage(message))
  })

  it('finds the identifiers of texts, of arguments and of results', () => {
    const [request, result] = call(
      'edit',
      { path: 'src/b.ts', newText: 'line one\nfooBar()' },
      'wrote /tmp/out.txt',
    )
    expect(messageIdentifiers(user('see src/a.ts')).map(({ text }) => text)).toEqual(['src/a.ts'])
    expect(request && messageIdentifiers(request).map(({ text }) => text)).toEqual(['src/b.ts', 'fooBar'])
    expect(result && messageIdentifiers(result).map(({ text }) => text)).toEqual(['/tmp/out.txt'])
  })

  it('takes nothing from the system prompt', () => {
    expect(
      analyzeMessage({ role: 'system', content: 'Always use `src/a.ts`.' }).mentions.identifiers,
    ).toEqual([])
  })
})
