import { type Message, type ToolMessage, toolCallsOf } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { resultStatus } from '../../src/tools/tool-outcome.ts'
import { call } from '../conversation.ts'

const status = (text: string, isError?: boolean) => {
  const message: ToolMessage = {
    role: 'tool',
    tool_call_id: 'a',
    content: text,
    ...(isError === undefined ? {} : { providerData: { transcript: { isError } } }),
  }
  return resultStatus(message, undefined)
}

describe('resultStatus', () => {
  it.each([
    ['Command exited with code 1', 'failed'],
    ['Exit code 2\nstuff', 'failed'],
    ['{"output":"x","metadata":{"exit_code":0}}', 'succeeded'],
    ['{"output":"x","metadata":{"exit_code":127}}', 'failed'],
    ['Process exited with code 0', 'succeeded'],
    ['[exit 1]', 'failed'],
    ['[exit 0]', 'succeeded'],
    ['all fine', undefined],
  ])('reads from "%s" how a program ended: %s', (text, expected) => {
    expect(status(text)).toBe(expected)
  })

  it('believes the recorded flag and an error in front', () => {
    expect(status('whatever', true)).toBe('failed')
    expect(status('whatever', false)).toBeUndefined()
    expect(status('Error: no such file: a.ts')).toBe('failed')
    expect(status('The page explains the error: it is old.')).toBeUndefined()
  })

  it('takes the exit code in a file that was read for none of its own', () => {
    const of = ([owner, result]: readonly Message[]) =>
      resultStatus(result as Message, toolCallsOf(owner as Message)[0])
    expect(of(call('read', { path: 'ci.log' }, 'line\nExit code 1'))).toBeUndefined()
    expect(of(call('bash', { command: 'cat ci.log' }, 'line\nExit code 1'))).toBe('failed')
  })
})
