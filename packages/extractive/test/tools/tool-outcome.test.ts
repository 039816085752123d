import type { ToolMessage } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { digestOutcome } from '../../src/tools/tool-outcome.ts'

const outcome = (text: string, isError?: boolean) => {
  const message: ToolMessage = {
    role: 'tool',
    tool_call_id: 'a',
    content: text,
    ...(isError === undefined ? {} : { providerData: { transcript: { isError } } }),
  }
  return digestOutcome(message, text)
}

describe('digestOutcome', () => {
  it.each([
    ['Command exited with code 1', true],
    ['Exit code 2\nstuff', true],
    ['{"output":"x","metadata":{"exit_code":0}}', false],
    ['{"output":"x","metadata":{"exit_code":127}}', true],
    ['Process exited with code 0', false],
    ['[exit 1]', true],
    ['[exit 0]', false],
    ['all fine', undefined],
    ['Tests  2 failed | 20 passed (22)', true],
    ['=== 3 failed, 12 passed in 1.2s ===\nexit code: 0', true],
    ['14 doctests, 65 tests, 0 failures', false],
    ['test result: ok. 3 passed; 0 failed; 0 ignored', false],
    ['ℹ tests 12\nℹ pass 11\nℹ fail 1', true],
    ['FAILED (failures=2)', true],
    ['✖ 9 problems (0 errors, 9 warnings)', false],
    ['Found 3 errors in 2 files.', true],
  ])('reads from "%s" whether a program failed: %s', (text, failed) => {
    expect(outcome(text).failed).toBe(failed)
  })

  it('believes the recorded flag and an error in front', () => {
    expect(outcome('whatever', true).refused).toBe(true)
    expect(outcome('whatever', false).refused).toBe(false)
    expect(outcome('Error: no such file: a.ts').refused).toBe(true)
    expect(outcome('The page explains the error: it is old.').refused).toBe(false)
  })

  it('quotes error lines verbatim, without terminal codes, and not those that report no error', () => {
    const text =
      'Compiling\n\u001b[31msrc/a.ts(3,1): error TS2345: Argument of type x\u001b[0m\n0 errors\n// error: only a comment\nfatal: no upstream'
    expect(outcome(text).errors).toEqual([
      'src/a.ts(3,1): error TS2345: Argument of type x',
      'fatal: no upstream',
    ])
  })

  it('finds the error at the end of a long output', () => {
    expect(outcome(`${'ok line\n'.repeat(50_000)}npm ERR! code ELIFECYCLE`).errors).toEqual([
      'npm ERR! code ELIFECYCLE',
    ])
  })

  it('keeps the line that a person would quote', () => {
    expect(outcome('Wrote 12 files.').detail).toBe('Wrote 12 files.')
    expect(outcome('x\ny\n 12 passing (3s)\n').detail).toBe('12 passing (3s)')
    expect(outcome('[exit 0]').detail).toBe('')
  })
})
