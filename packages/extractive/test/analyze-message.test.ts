import { describe, expect, it } from 'vitest'
import { analyzeMessage } from '../src/index.ts'
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
    const names = (message = user('see src/a.ts')) =>
      analyzeMessage(message).identifiers.map(({ text }) => text)
    expect(names()).toEqual(['src/a.ts'])
    expect(names(request)).toEqual(['src/b.ts', 'fooBar'])
    expect(names(result)).toEqual(['/tmp/out.txt'])
  })

  it('takes no values of styles, ids and numbers from output', () => {
    const output =
      'padding: 12px; color: #ff8800\n3f2504e0-4f89-11d3-9a0c-0305e82c3301 took 340 ms, saved 104857 in src/a.css'
    const [request, result] = call('bash', { command: 'wait 340 ms' }, output)
    const names = (message = user('')) => analyzeMessage(message).identifiers.map(({ text }) => text)
    expect(names(request)).toEqual(['340 ms'])
    expect(names(result)).toEqual(['src/a.css'])
  })

  it('takes nothing from the system prompt', () => {
    expect(analyzeMessage({ role: 'system', content: 'Always use `src/a.ts`.' }).identifiers).toEqual([])
  })
})
