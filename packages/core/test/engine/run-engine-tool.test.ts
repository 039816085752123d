import { describe, expect, it } from 'vitest'
import { runEngineTool } from '../../src/engine/run-engine-tool.ts'

type Handler = () => string

function call(handler: Handler, signal?: AbortSignal, name = 'ask') {
  return runEngineTool({
    name,
    handlers: new Map([['ask', handler]]),
    run: async (found) => found(),
    maxCharacters: 100,
    signal,
  })
}

describe('a call of a tool of an engine', () => {
  it('is answered by its handler', async () => {
    expect(await call(() => '{"a":1}')).toBe('{"a":1}')
  })

  it.each([
    ['a tool that there is not', 'tell', () => '', 'there is no tool tell; use ask'],
    [
      'what a handler throws',
      'ask',
      () => {
        throw new Error('the disk is gone')
      },
      'the disk is gone',
    ],
    [
      'an answer that is too long',
      'ask',
      () => 'x'.repeat(101),
      'the answer is too long; ask for less with "limit"',
    ],
  ])('says in JSON what is wrong: %s', async (_, name, handler, error) => {
    expect(JSON.parse(await call(handler, undefined, name))).toEqual({ error })
  })

  it('stays small and well-formed whatever is said', async () => {
    const broken = await call(() => {
      throw new Error('\ud800'.repeat(100_000))
    })
    const unknown = await call(() => '', undefined, 'x'.repeat(100_000))
    expect(Math.max(broken.length, unknown.length)).toBeLessThan(1_100)
    expect(broken.isWellFormed()).toBe(true)
  })

  it('rejects with the reason of an abort, also when that comes while it runs', async () => {
    const reason = new Error('enough')
    await expect(call(() => '', AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const late = call(() => {
      controller.abort(reason)
      return '{}'
    }, controller.signal)
    await expect(late).rejects.toBe(reason)
  })
})
