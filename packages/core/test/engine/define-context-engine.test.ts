import { describe, expect, it, vi } from 'vitest'
import { InvalidEngineError } from '../../src/errors/errors.ts'
import {
  type CompressCall,
  defineContextEngine,
  type EngineHost,
  type EngineParts,
  fillEngine,
  isEngineDefinition,
  keptResult,
  type Message,
  roughTokenCounter as tokens,
} from '../../src/index.ts'

const host: EngineHost = {
  contextLength: 200_000,
  maxOutputTokens: 0,
  tokens,
  clock: { now: () => 0 },
  sessionId: 's',
}
const unchanged = async ({ messages }: CompressCall) => keptResult('unchanged', 'x', messages, tokens)
const compacted = async (call: CompressCall) => ({
  ...(await unchanged(call)),
  outcome: 'compacted' as const,
})
const minimal: EngineParts = { shouldCompress: () => false, compress: unchanged }
const messages: Message[] = [{ role: 'user', content: 'a' }]

describe('defineContextEngine', () => {
  const input = { name: 'my-engine', apiVersion: 1 as const, description: 'd', create: () => minimal }

  it('brands what it returns, for every installed copy', () => {
    const definition = defineContextEngine(input)
    expect(isEngineDefinition(definition)).toBe(true)
    expect(Symbol.for('palimpsest.context-engine') in definition).toBe(true)
    expect(definition).toEqual({
      name: 'my-engine',
      apiVersion: 1,
      description: 'd',
      create: expect.any(Function),
    })
    expect([input, null, undefined, 5, {}].some(isEngineDefinition)).toBe(false)
  })

  it.each(['', 'My-Engine', 'my_engine', '-x', 'x-', '../x', '1x', 5, undefined, null])(
    'refuses the name %j',
    (name) => {
      expect(() => defineContextEngine({ ...input, name: name as string })).toThrow(InvalidEngineError)
      expect(() => defineContextEngine({ ...input, name: name as string })).toThrow('must be kebab-case')
    },
  )

  it('refuses another version and a missing create', () => {
    expect(() => defineContextEngine({ ...input, apiVersion: 2 as 1 })).toThrow(
      'has apiVersion 2; this core supports apiVersion 1',
    )
    expect(() => defineContextEngine({ ...input, create: undefined as never })).toThrow(
      'needs create(options, host)',
    )
  })

  it('refuses a misspelt member', () => {
    expect(() => defineContextEngine({ ...input, stroe: () => {} } as never)).toThrow(
      'the definition of "my-engine" has "stroe", which is no member of an engine; did you mean "store"?',
    )
  })

  it('gives create the options and the host', () => {
    const create = vi.fn(() => minimal)
    defineContextEngine({ ...input, create }).create({ a: 1 }, host)
    expect(create).toHaveBeenCalledWith({ a: 1 }, host)
  })
})

describe('an engine that is another one with other settings', () => {
  it('declares what that one declares, and a copy of its members what it shows', () => {
    const inner = fillEngine('inner', { ...minimal, capabilities: ['summarizer'] }, host)
    expect(fillEngine('outer', inner, host).capabilities).toEqual(['summarizer'])
    const toolSchemas = () => []
    for (const parts of [
      { ...inner, toolSchemas },
      Object.create(inner, { toolSchemas: { value: toolSchemas } }),
    ])
      expect(fillEngine('copy', parts, host).capabilities).toEqual(
        expect.arrayContaining(['tools', 'summarizer']),
      )
  })
})

describe('an engine of two functions', () => {
  it('gets every default of the contract', async () => {
    const engine = fillEngine('mini', minimal, host)
    expect(engine).toMatchObject({
      apiVersion: 1,
      name: 'mini',
      lastPromptTokens: 0,
      lastCompletionTokens: 0,
      lastTotalTokens: 0,
      thresholdTokens: 100_000,
      contextLength: 200_000,
      compressionCount: 0,
    })
    expect(engine.shouldCompressPreflight(messages)).toBe(false)
    expect(await engine.pruneToolResults(messages)).toBe(messages)
    expect(await engine.selectContext({ messages, budgetTokens: 1 })).toBeNull()
    expect(engine.hasContentToCompress(messages)).toBe(true)
    expect(engine.toolSchemas()).toEqual([])
    expect(JSON.parse(await engine.handleToolCall('x', {}))).toEqual({ error: 'unknown tool: x' })
    expect(await engine.ingest({ messages, from: 0 })).toEqual([])
    for (const hook of [
      engine.onTurnComplete({ messages, usage: null, interrupted: false }),
      engine.onSessionStart({ sessionId: 's', contextLength: 1000 }),
      engine.onSessionEnd(messages),
      engine.onSessionReset(),
      engine.onCompactionBoundary({ result: await unchanged({ messages }), transcriptLength: 1 }),
      engine.dispose(),
    ])
      expect(await hook).toBeUndefined()
  })

  it('decides by the last usage when it is given no number', () => {
    const engine = fillEngine(
      'mini',
      { ...minimal, shouldCompress: ({ promptTokens = -1 } = {}) => promptTokens >= 50 },
      host,
    )
    expect(engine.shouldCompress()).toBe(false)
    engine.updateFromResponse({ promptTokens: 50, completionTokens: 0, totalTokens: 50 })
    expect(engine.shouldCompress()).toBe(true)
    expect(engine.shouldCompress({ promptTokens: 49 })).toBe(false)
  })

  it('counts compactions, and zeroes its counters on reset', async () => {
    const engine = fillEngine('mini', { ...minimal, compress: compacted }, host)
    await engine.compress({ messages })
    const abort = new AbortController()
    const late = engine.compress({ messages, signal: abort.signal })
    abort.abort()
    await late
    expect(engine.compressionCount).toBe(1)
    engine.updateFromResponse({ promptTokens: 1, completionTokens: 1, totalTokens: 2 })
    await engine.onSessionReset()
    expect(engine).toMatchObject({ compressionCount: 0, lastPromptTokens: 0, lastTotalTokens: 0 })
  })

  it.each([
    [-1, 200_000, { lastPromptTokens: 0, usagePercent: 0 }],
    [50_000, 200_000, { lastPromptTokens: 50_000, usagePercent: 25 }],
    [900_000, 200_000, { usagePercent: 100 }],
    [10, 0, { usagePercent: 0, contextLength: 0 }],
  ])('shows a status for %i of %i tokens', (lastPromptTokens, contextLength, expected) => {
    const engine = fillEngine('mini', { ...minimal, lastPromptTokens, contextLength }, host)
    expect(engine.status()).toMatchObject({ name: 'mini', compressionCount: 0, ...expected })
    expect(JSON.parse(JSON.stringify(engine.status()))).toEqual(engine.status())
  })
})

describe('the parts that an author wrote', () => {
  it('keep their own `this`, getters and methods of a class included', async () => {
    class Engine {
      #count = 0
      get compressionCount(): number {
        return this.#count
      }
      shouldCompress(): boolean {
        return this.#count === 0
      }
      hasContentToCompress(): boolean {
        return this.#count < 5
      }
      async compress(call: CompressCall) {
        this.#count += 10
        return compacted(call)
      }
    }
    const engine = fillEngine('classy', new Engine(), host)
    expect(engine.shouldCompress()).toBe(true)
    expect(engine.hasContentToCompress(messages)).toBe(true)
    await engine.compress({ messages })
    expect(engine.shouldCompress()).toBe(false)
    expect(engine.hasContentToCompress(messages)).toBe(false)
    expect(engine.compressionCount).toBe(10)
  })

  it('are called besides what every engine does', async () => {
    const parts = {
      updateFromResponse: vi.fn(),
      updateModel: vi.fn(),
      onSessionReset: vi.fn(),
      ingest: vi.fn(),
    }
    const engine = fillEngine('spied', { ...minimal, ...parts }, host)
    engine.updateFromResponse({ promptTokens: 5, completionTokens: 0, totalTokens: 5 })
    engine.updateModel({ contextLength: 10 })
    await engine.ingest({ messages, from: 0 })
    await engine.onSessionReset()
    for (const part of Object.values(parts)) expect(part).toHaveBeenCalledOnce()
    expect(engine).toMatchObject({ contextLength: 10, lastPromptTokens: 0 })
  })

  it.each([
    [undefined, 'must return the function shouldCompress'],
    [{ compress: unchanged }, 'must return the function shouldCompress'],
    [{ ...minimal, compress: 1 }, 'must return the function compress'],
    [Promise.resolve(minimal), 'must return shouldCompress and compress, not a promise of them'],
  ])('must have the two functions: %o', (parts, text) => {
    expect(() => fillEngine('broken', parts as never, host)).toThrow(InvalidEngineError)
    expect(() => fillEngine('broken', parts as never, host)).toThrow(text)
  })

  it.each([
    [{ shouldCompress: () => false, compres: unchanged }, 'returns "compres"', 'compress'],
    [{ ...minimal, onTurnCompleted: async () => {} }, 'returns "onTurnCompleted"', 'onTurnComplete'],
    [{ ...minimal, treshold: 1, tresholdTokens: 1 }, 'returns "tresholdTokens"', 'thresholdTokens'],
    [
      new (class {
        shouldCompress = () => false
        compress = unchanged
        selectcontext() {}
      })(),
      'returns "selectcontext"',
      'selectContext',
    ],
  ])('must be spelt as the contract does: %o', (parts, text, meant) => {
    expect(() => fillEngine('broken', parts as never, host)).toThrow(InvalidEngineError)
    expect(() => fillEngine('broken', parts as never, host)).toThrow(text)
    expect(() => fillEngine('broken', parts as never, host)).toThrow(`did you mean "${meant}"?`)
  })

  it('may have others beside it', () => {
    const parts = { ...minimal, compressed: 3, summarise() {}, settings: {} }
    expect(() => fillEngine('helpers', parts as never, host)).not.toThrow()
  })

  it('are disposed of once, and refuse work afterwards', async () => {
    const dispose = vi.fn(async () => {})
    const engine = fillEngine('gone', { ...minimal, dispose }, host)
    await engine.dispose()
    await engine.dispose()
    expect(dispose).toHaveBeenCalledOnce()
    await expect(engine.compress({ messages })).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(engine.ingest({ messages, from: 0 })).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})
