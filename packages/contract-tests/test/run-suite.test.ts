import { ok } from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContractCase, type ContractTarget, planContract, runSuite } from '../src/index.ts'
import { referenceTarget } from './reference-target.ts'

const entry = (
  id: string,
  run: ContractCase['run'],
  requires: ContractCase['requires'] = [],
): ContractCase => ({
  id,
  title: `case ${id}`,
  since: '0.1.0',
  requires,
  run,
})
const passes = async () => {}

const run = (cases: readonly ContractCase[], changed: Partial<ContractTarget> = {}) =>
  runSuite(planContract({ ...referenceTarget, ...changed }, { cases }))

describe('runSuite', () => {
  it('runs cases one after the other and says what became of each', async () => {
    const order: string[] = []
    const results = await run([
      entry('X1', async () => void order.push('one')),
      entry('X2', async () => ok(false, 'one is not two')),
      entry('X3', () => Promise.reject('a text')),
      entry('X4', async () => void order.push('four')),
    ])
    expect(results.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ['X1', 'passed', undefined],
      ['X2', 'failed', 'one is not two'],
      ['X3', 'failed', 'a text'],
      ['X4', 'passed', undefined],
    ])
    expect(order).toEqual(['one', 'four'])
  })

  it('tells each result as soon as it is there, with what the case noted', async () => {
    const told: string[] = []
    const plan = planContract(referenceTarget, {
      cases: [entry('X1', async ({ note }) => void note('7 conversations'))],
    })
    const results = await runSuite(plan, ({ id, notes }) => told.push(`${id}: ${notes.join()}`))
    expect(told).toEqual(['X1: 7 conversations'])
    expect(results[0]?.durationMs).toBeGreaterThanOrEqual(0)
  })
})

describe('planContract', () => {
  const declaring =
    (capabilities: readonly string[]): ContractTarget['create'] =>
    (host) =>
      Object.create(referenceTarget.create(host), { capabilities: { value: capabilities } })

  it('leaves out what the engine does not declare, and what its author excused, with the reason', async () => {
    const cases = [entry('X1', passes, ['tools', 'lossless']), entry('X2', passes), entry('X3', passes)]
    const changed = { create: declaring(['tools']), skip: { X2: 'known, see issue 5' } }
    const results = await run(cases, changed)
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      'the engine does not declare lossless',
      'known, see issue 5',
      'passed',
    ])
  })

  it('fails the cases that create an engine which cannot be created, and no others', async () => {
    const cases = [
      entry('X1', async (harness) => void harness.create()),
      entry('X2', passes),
      entry('X3', passes, ['tools']),
    ]
    const create = () => {
      throw new Error('no licence')
    }
    const results = await run(cases, { create })
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      'no licence',
      'passed',
      'the engine does not declare tools',
    ])
  })

  it('ends a case when its time is over, says what took it, and goes on with the next when nothing is left', async () => {
    const calls: string[] = []
    const create: ContractTarget['create'] = (host) => {
      const engine = referenceTarget.create(host)
      const ingest = async () => {
        calls.push('ingest')
        await setTimeout(20)
      }
      return Object.create(engine, { ingest: { value: ingest } })
    }
    const slow = entry('X1', async (harness) => {
      const engine = harness.create()
      try {
        for (;;) await engine.ingest({ messages: [], from: 0 })
      } finally {
        calls.push('end of X1')
      }
    })
    const next = entry('X2', async () => void calls.push('X2'))
    const results = await run([slow, next], { create, caseTimeoutMs: 300 })
    expect(results.map(({ status }) => status)).toEqual(['failed', 'passed'])
    expect(results[0]?.reason).toMatch(
      /^the case was not over after 0.3 s, which is its limit: ingest\(\) took \d+ ms \d+ times and ingest\(\) was under way, create\(\) took \d+ ms once; a slow engine passes with more time/,
    )
    expect(calls.slice(-3)).toEqual(['ingest', 'end of X1', 'X2'])
  })

  it('lets a case have the time that its target gives it', async () => {
    const slow = entry('X1', async () => void (await setTimeout(300)))
    const of = async (caseTimeoutMs: number) => (await run([slow], { caseTimeoutMs }))[0]?.status
    expect([await of(100), await of(30_000)]).toEqual(['failed', 'passed'])
  })

  it('names the seed and the value that break a property, and the seed repeats them', async () => {
    const claim = async (value: number) => ok(value < 50, `${value} is too much`)
    const cases = [entry('X1', (harness) => harness.property(fc.nat(100), claim))]
    const [first] = await run(cases, { seed: 4711 })
    const [again] = await run(cases, { seed: 4711 })
    expect(first?.reason).toMatch(/^50 is too much\n.* seed 4711, path "[\d:]+", for \[50\]$/)
    expect(again?.reason).toBe(first?.reason)
  })
})
