import { describe, expect, it, vi } from 'vitest'
import { registerSuite } from '../src/register-suite.ts'
import type { PlannedCase } from '../src/run-suite.ts'

type Case = PlannedCase<{ id: string; title: string; since: string; run(): Promise<void> }>

const planned = (id: string, skip?: string, run: Case['run'] = async () => []): Case => ({
  entry: { id, title: `promise ${id}`, since: '0.1.0', run: async () => {} },
  skip,
  run,
})

/** A test runner that keeps what it is given, and what was printed meanwhile. */
function register(plan: readonly Case[]) {
  const tests = new Map<string, () => Promise<void>>()
  const skipped: string[] = []
  const printed: string[] = []
  const groups: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  registerSuite('engines: mine', plan, {
    describe(name, body) {
      groups.push(name)
      body()
    },
    test: (name, body) => void tests.set(name, body),
    skip: (name) => void skipped.push(name),
  })
  return { tests, skipped, printed, groups, end: () => write.mockRestore() }
}

describe('registerSuite', () => {
  it('makes one group, a test of each case, and a skipped one with its reason', () => {
    const { tests, skipped, groups, end } = register([
      planned('X1'),
      planned('X2', 'no tools'),
      planned('X3'),
    ])
    end()
    expect(groups).toEqual(['engines: mine'])
    expect([...tests.keys()]).toEqual(['X1 promise X1', 'X3 promise X3'])
    expect(skipped).toEqual(['X2 promise X2 (skipped: no tools)'])
  })

  it('prints each reason once, with the cases that it keeps from running', () => {
    const plan = [planned('X1', 'no tools'), planned('X2', 'known'), planned('X3', 'no tools')]
    const { printed, end } = register(plan)
    end()
    expect(printed).toEqual([
      'engines: mine: skipped X1 X3: no tools\n',
      'engines: mine: skipped X2: known\n',
    ])
  })

  it('prints what a case notes, and fails with what it found', async () => {
    const plan = [
      planned('X1', undefined, async () => ['100 conversations']),
      planned('X2', undefined, () => Promise.reject(new Error('it was larger'))),
    ]
    const { tests, printed, end } = register(plan)
    await tests.get('X1 promise X1')?.()
    const failing = tests.get('X2 promise X2')?.()
    end()
    await expect(failing).rejects.toThrow('it was larger')
    expect(printed).toEqual(['engines: mine X1: 100 conversations\n'])
  })
})
