import { existsSync } from 'node:fs'
import type { ContextEngine } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createHarness } from '../../src/harness/create-harness.ts'
import { createFakeClock } from '../../src/harness/fake-clock.ts'
import { fixedTokenCounter } from '../../src/harness/fixed-token-counter.ts'
import { createScriptedModel, DEAF, STALL } from '../../src/harness/scripted-model.ts'
import { createPatience, withTimeLimit } from '../../src/harness/time-limit.ts'
import { referenceTarget } from '../reference-target.ts'

/** Whether a promise has settled when everything that was ready has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const settle = () => {
    settled = true
  }
  promise.then(settle, settle)
  await new Promise(setImmediate)
  return settled
}

describe('the scripted model', () => {
  it('plays one step a call, repeats the last one, and remembers the calls', async () => {
    const model = createScriptedModel(['one', new Error('down'), ({ prompt }) => `read: ${prompt}`])
    expect((await model.complete({ prompt: 'a' })).text).toBe('one')
    await expect(model.complete({ prompt: 'b' })).rejects.toThrow('down')
    expect((await model.complete({ prompt: 'c' })).text).toBe('read: c')
    expect((await model.complete({ prompt: 'd' })).text).toBe('read: d')
    expect(model.calls.map(({ prompt }) => prompt)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('stalls until its signal aborts, or is deaf to that too', async () => {
    for (const [step, hears] of [
      [STALL, true],
      [DEAF, false],
    ] as const) {
      const controller = new AbortController()
      const answer = createScriptedModel([step]).complete({ prompt: '', signal: controller.signal })
      expect(await isSettled(answer)).toBe(false)
      controller.abort(new Error('enough'))
      expect(await isSettled(answer)).toBe(hears)
      if (hears) await expect(answer).rejects.toThrow('enough')
    }
  })

  it('rejects at once when its signal was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(createScriptedModel().complete({ prompt: '', signal })).rejects.toThrow('too late')
  })
})

describe('the fake clock', () => {
  it('stands still until it is moved', () => {
    const clock = createFakeClock()
    const start = clock.now()
    expect(clock.now()).toBe(start)
    clock.advance(1_500)
    expect(clock.now() - start).toBe(1_500)
    expect(createFakeClock().now()).toBe(start)
  })
})

describe('the fixed token counter', () => {
  it('counts a token for four characters, whatever the message holds', () => {
    expect(fixedTokenCounter.countText('12345')).toBe(2)
    expect(fixedTokenCounter.countMessage({ role: 'user', content: 'x'.repeat(400) })).toBe(107)
    expect(fixedTokenCounter.countMessage(undefined as never)).toBe(0)
    expect(fixedTokenCounter.countTools([])).toBe(0)
  })
})

describe('the time limit', () => {
  const slow = (engine: Partial<ContextEngine>) => withTimeLimit(engine as ContextEngine, createPatience(10))

  it('turns a call that never settles into a failure that names it', async () => {
    const engine = slow({ compress: () => new Promise(() => {}) })
    await expect(engine.compress({ messages: [] })).rejects.toThrow('compress() did not settle within 10 ms')
  })

  it('leaves what a call returns, throws and is called on as it is', async () => {
    const failure = new TypeError('broken')
    const engine = slow({
      name: 'mine',
      shouldCompress: () => true,
      ingest: () => Promise.reject(failure),
      async handleToolCall(this: ContextEngine) {
        return this.name
      },
    } as Partial<ContextEngine>)
    expect(engine.name).toBe('mine')
    expect(engine.shouldCompress()).toBe(true)
    await expect(engine.ingest({ messages: [], from: 0 })).rejects.toBe(failure)
    expect(await engine.handleToolCall('', {})).toBe('mine')
  })

  it('takes an engine whose members cannot be changed', async () => {
    const engine = slow(Object.freeze({ onSessionEnd: async () => {} }))
    await expect(engine.onSessionEnd([])).resolves.toBeUndefined()
  })
})

describe('the harness', () => {
  const make = () =>
    createHarness({ target: referenceTarget, capabilities: new Set(), patience: createPatience() })

  it('gives each host a folder of its own, and removes all of them', async () => {
    const { harness, cleanUp } = make()
    const folders = [harness.host().storage, harness.host().storage]
    expect(new Set(folders).size).toBe(2)
    expect(folders.every((folder) => existsSync(folder))).toBe(true)
    await cleanUp()
    expect(folders.some((folder) => existsSync(folder))).toBe(false)
  })

  it('disposes of every engine that a case made, even when one of them fails', async () => {
    const { harness, cleanUp } = make()
    const engines = [harness.create(), harness.session().engine, harness.reopen(harness.host())]
    await engines[0]?.dispose()
    await cleanUp()
    for (const engine of engines)
      await expect(engine.ingest({ messages: [], from: 0 })).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})
