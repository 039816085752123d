import { equal, ok } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { keptResult } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../src/harness/create-harness.ts'
import { type ContractCase, type ContractTarget, planContract, runSuite } from '../src/index.ts'
import { registerSuite } from '../src/register-suite.ts'
import { failureText } from '../src/run-suite.ts'
import { referenceTarget } from './reference-target.ts'

const entry = (
  id: string,
  run: ContractCase['run'] = async () => {},
  requires: ContractCase['requires'] = [],
): ContractCase => ({ id, title: `case ${id}`, requires, run })

const run = (cases: readonly ContractCase[], changed: Partial<ContractTarget> = {}) =>
  runSuite(planContract({ ...referenceTarget, ...changed }, cases))

const reasonOf = async (use: ContractCase['run'], changed: Partial<ContractTarget> = {}) =>
  (await run([entry('X1', use)], changed))[0]?.reason

/** A target whose engines have other members. */
const withMembers = (members: object): Partial<ContractTarget> => ({
  create: (host) =>
    Object.create(referenceTarget.create(host), Object.getOwnPropertyDescriptors(members)) as ReturnType<
      ContractTarget['create']
    >,
})

it('runs cases one after the other, and says what became of each as soon as it is known', async () => {
  const order: string[] = []
  const plan = planContract(referenceTarget, [
    entry('X1', async () => void order.push('run X1')),
    entry('X2', async () => ok(false, 'one is not two')),
    entry('X3', () => Promise.reject('a text')),
  ])
  const results = await runSuite(plan, ({ id }) => order.push(`told ${id}`))
  expect(results.map(({ id, status, reason }) => [id, status, reason])).toEqual([
    ['X1', 'passed', undefined],
    ['X2', 'failed', 'one is not two'],
    ['X3', 'failed', 'a text'],
  ])
  expect(order).toEqual(['run X1', 'told X1', 'told X2', 'told X3'])
})

it('leaves out what the engine does not declare, and what its author excused, with the reason', async () => {
  const cases = [entry('X1', undefined, ['tools', 'lossless']), entry('X2'), entry('X3')]
  const results = await run(cases, {
    ...withMembers({ capabilities: ['tools'] }),
    skip: { X2: 'known, see issue 5' },
  })
  expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
    'the engine does not declare lossless',
    'known, see issue 5',
    'passed',
  ])
})

it('fails the cases that create an engine which cannot be created, and no others', async () => {
  const create = () => {
    throw new Error('no licence')
  }
  const cases = [entry('X1', async (harness) => void harness.create()), entry('X2')]
  const results = await run(cases, { create })
  expect(results.map(({ status, reason }) => reason ?? status)).toEqual(['no licence', 'passed'])
})

it('ends a case when its time is over, names what it waits for, and lets it do nothing more', async () => {
  const calls: string[] = []
  const ingest = async () => {
    calls.push('ingest')
    await setTimeout(50)
  }
  const endless = entry('X1', async (harness) => {
    const engine = harness.create()
    for (;;) await engine.ingest({ messages: [], from: 0 })
  })
  const next = entry('X2', async () => {
    calls.push('X2')
    await setTimeout(200)
  })
  const results = await run([endless, next], { ...withMembers({ ingest }), caseTimeoutMs: 500 })
  expect(results.map(({ status }) => status)).toEqual(['failed', 'passed'])
  expect(results[0]?.reason).toMatch(
    /^it was not over after 0.5 s, ingest\(\) had not settled; a slow engine/,
  )
  expect(calls.at(-1)).toBe('X2')
})

it('names the seed and the value that break a property, and the seed repeats them', async () => {
  const use = (harness: Harness) =>
    harness.property(fc.nat(100), async (value) => ok(value < 50, `${value} is too much`))
  const first = await reasonOf(use, { seed: 4711 })
  expect(first).toMatch(/^50 is too much\n.* seed 4711, path "[\d:]+", for \[50\]/)
  expect(await reasonOf(use, { seed: 4711 })).toBe(first)
})

it('fails a case whose engine leaves an unhandled rejection', async () => {
  const others = process.listeners('unhandledRejection')
  const reason = await reasonOf(async () => void Promise.reject(new Error('forgotten')))
  expect(reason).toBe('the engine left an unhandled rejection: forgotten')
  expect(process.listeners('unhandledRejection')).toEqual(others)
})

it('disposes of every engine of a case, and removes its folders', async () => {
  const disposed: unknown[] = []
  const folders: string[] = []
  const dispose = async function (this: object) {
    disposed.push(this)
    throw new Error('it does not matter')
  }
  await run(
    [
      entry('X1', async (harness) => {
        const host = harness.host()
        folders.push(host.storage)
        ok(existsSync(host.storage))
        harness.create(host)
        harness.session()
      }),
    ],
    withMembers({ dispose }),
  )
  // One engine more says what it can do.
  expect(disposed).toHaveLength(3)
  expect(existsSync(folders[0] ?? '')).toBe(false)
})

describe('a call of an engine', () => {
  it.each([
    [undefined, 'resolved to undefined'],
    [[], 'resolved to a list'],
    [{ messages: [] }, 'an object with the keys messages'],
  ])('that resolves to %j is named', async (value, text) => {
    const compress = async () => value
    const use: ContractCase['run'] = async (harness) =>
      void (await harness.create().compress({ messages: [] }))
    expect(await reasonOf(use, withMembers({ compress }))).toContain(text)
  })

  it.each([
    [
      'a method',
      { compress: () => Promise.reject(new Error('boom')) },
      'compress() of the engine threw: boom',
    ],
    [
      'a getter',
      Object.defineProperty({}, 'thresholdTokens', {
        enumerable: true,
        get() {
          throw new Error('boom')
        },
      }),
      'thresholdTokens of the engine threw: boom',
    ],
    ['what is no error', { compress: () => Promise.reject('boom') }, 'compress() of the engine threw: boom'],
  ])('that throws names the member: %s', async (_, members, text) => {
    const use: ContractCase['run'] = async (harness) => {
      const engine = harness.create()
      void engine.thresholdTokens
      await engine.compress({ messages: [] })
    }
    expect(await reasonOf(use, withMembers(members))).toContain(text)
  })

  it('that writes to frozen messages is told the invariant', async () => {
    const compress = async ({ messages }: { messages: readonly object[] }) => {
      Object.assign(messages[0] ?? {}, { content: 'y' })
      return keptResult
    }
    const messages = [Object.freeze({ role: 'user' as const, content: 'x' })]
    const use: ContractCase['run'] = async (harness) => void (await harness.create().compress({ messages }))
    expect(await reasonOf(use, withMembers({ compress }))).toMatch(
      /^compress\(\) writes to what it was given, which is frozen \(invariant 6: copy it first\): /,
    )
  })
})

it.each([
  ['nothing', undefined, 'needs { name, create, expectCapabilities }'],
  ['no name', { create: () => {}, expectCapabilities: [] }, 'needs { name, create'],
  ['no expectation', { name: 'x', create: () => {} }, '"x" needs expectCapabilities: what the engine must'],
])('refuses a target with %s', (_, target, text) => {
  expect(() => planContract(target as unknown as ContractTarget)).toThrow(text)
})

it('becomes one group of tests on a runner, skipped ones with their reason', () => {
  const seen: string[] = []
  const plan = planContract({ ...referenceTarget, skip: { X2: 'no tools' } }, [entry('X1'), entry('X2')])
  registerSuite('engines: mine', plan, {
    describe(name, body) {
      seen.push(name)
      body()
    },
    test: (name) => void seen.push(`test ${name}`),
    skip: (name) => void seen.push(`skip ${name}`),
  })
  expect(seen).toEqual(['engines: mine', 'test X1 case X1', 'skip X2 case X2 (skipped: no tools)'])
})

describe('failureText', () => {
  /** An error as it comes out of a file. */
  const thrownAt = (...frames: string[]): Error =>
    Object.assign(new Error('no db'), {
      stack: `Error: no db\n${frames.map((frame) => `    at ${frame}`).join('\n')}`,
    })
  const ENGINE = 'compress (file:///home/me/engine/dist/index.js:20:58)'

  it('names the first location that is the author’s, also in what a property wraps', () => {
    const suite = 'run (file:///x/node_modules/@palimpsest/contract-tests/dist/chunk-A.js:1:2)'
    const core = 'fill (/x/node_modules/@palimpsest/core/dist/index.js:3:4)'
    const error = thrownAt('readFile (node:fs:1:1)', core, ENGINE, suite)
    expect(failureText(error)).toBe('no db (at file:///home/me/engine/dist/index.js:20:58)')
    const wrapped = Object.assign(new Error('value 3', { cause: error }), { stack: 'Error: value 3' })
    expect(failureText(wrapped)).toBe('value 3 (at file:///home/me/engine/dist/index.js:20:58)')
  })

  it('names no location for an assertion of the suite, nor for what is no error', async () => {
    expect(await reasonOf(async () => equal(1, 2, 'the count'))).toMatch(/^the count\s+1 !== 2\s+$/)
    expect(failureText('just text')).toBe('just text')
  })
})
