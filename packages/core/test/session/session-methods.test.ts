import { describe, expect, it, vi } from 'vitest'
import { type CompressCall, type EngineParts, InvalidOptionError } from '../../src/index.ts'
import { compress, open } from './doubles.ts'
import { assistant, calling, talk, texts, tool, user } from './talk.ts'

describe('observe', () => {
  it('passes usage on, in our shape', async () => {
    const updateFromResponse = vi.fn()
    const { session, events } = open({ updateFromResponse })
    await session.prepare([user('a')])
    await session.observe({
      usage: { prompt_tokens: 120, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 64 } },
    })
    const usage = { promptTokens: 120, completionTokens: 30, totalTokens: 150, cacheReadTokens: 64 }
    expect(updateFromResponse).toHaveBeenCalledWith(usage)
    expect(events).toContainEqual({ type: 'usage', usage })
    expect(session.engine).toMatchObject({
      lastPromptTokens: 120,
      lastCompletionTokens: 30,
      lastTotalTokens: 150,
    })
  })

  it('ends a turn with an answer that calls no tool, or with an interruption', async () => {
    const onTurnComplete = vi.fn(async () => {})
    const { session } = open({ onTurnComplete })
    await session.prepare([user('a')])
    await session.observe({ message: calling('x') as never })
    expect(onTurnComplete).not.toHaveBeenCalled()
    await session.observe({ message: assistant('b') as never, usage: { promptTokens: 5 } })
    expect(onTurnComplete).toHaveBeenLastCalledWith({
      messages: [{ ...user('a'), id: 'm0' }, assistant('b')],
      usage: expect.objectContaining({ promptTokens: 5 }),
      interrupted: false,
    })
    await session.observe({ interrupted: true })
    expect(onTurnComplete).toHaveBeenLastCalledWith({
      messages: [{ ...user('a'), id: 'm0' }],
      usage: null,
      interrupted: true,
    })
  })

  it('does not add the answer to the transcript: the host will send it', async () => {
    const { session } = open()
    await session.prepare([user('a')])
    await session.observe({ message: assistant('b') as never })
    expect(session.transcript).toHaveLength(1)
  })
})

describe('compact', () => {
  it('compacts because the user asks, with a focus', async () => {
    const calls: CompressCall[] = []
    const { session, events } = open({
      compress: (call) => {
        calls.push(call)
        return compress(call)
      },
    })
    await session.prepare(talk(3))
    expect(await session.compact({ focusTopic: 'the parser' })).toMatchObject({ outcome: 'compacted' })
    expect(calls).toMatchObject([
      { force: true, focusTopic: 'the parser', currentTokens: expect.any(Number) },
    ])
    expect(events.find(({ type }) => type === 'compaction')).toMatchObject({
      trigger: 'manual',
      committed: true,
    })
    expect(texts((await session.prepare(talk(3))).messages)).toContain('SUMMARY')
  })

  it('says that a result which broke an invariant was not used', async () => {
    const { session } = open({ compress: async (call) => ({ ...(await compress(call)), changedFrom: 99 }) })
    await session.prepare(talk(3))
    const done = await session.compact()
    expect(done).toMatchObject({ outcome: 'aborted', reason: 'invariant-violation' })
    expect(done.warnings[0]?.message).toMatch(/broke invariant 5 \(WRONG_CHANGED_FROM .*\) and was not used/)
    expect(done.tokensAfter).toBe(done.tokensBefore)
  })
})

describe('answerCall', () => {
  const call = (name: string, args: string) => ({
    id: 'c1',
    type: 'function' as const,
    function: { name, arguments: args },
  })
  const parts: Partial<EngineParts> = {
    toolSchemas: () => [tool('recall')],
    handleToolCall: async (_, args) => JSON.stringify({ got: args }),
  }

  it('answers calls of tools that the engine brought, and leaves the others to the host', async () => {
    const { session } = open(parts)
    const { tools } = await session.prepare([user('a')], { tools: [tool('mine')] })
    expect(tools).toEqual([tool('mine'), tool('recall')])
    expect(await session.answerCall(call('recall', '{"q":1}'))).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: '{"got":{"q":1}}',
    })
    expect(await session.answerCall(call('mine', '{}'))).toBeUndefined()
    const broken = await session.answerCall(call('recall', '{"q":'))
    expect(broken?.content).toContain('not valid JSON')
  })
})

describe('callTool', () => {
  const parts: Partial<EngineParts> = {
    toolSchemas: () => [tool('recall')],
    handleToolCall: async (_, args) => JSON.stringify({ got: args }),
  }

  it('runs a tool with arguments as text or as a value', async () => {
    const { session } = open(parts)
    expect(await session.callTool('recall', '{"q":1}')).toBe('{"got":{"q":1}}')
    expect(await session.callTool('recall', { q: 1 })).toBe('{"got":{"q":1}}')
  })

  const answering = (handleToolCall: NonNullable<EngineParts['handleToolCall']>) => ({
    ...parts,
    handleToolCall,
  })
  const throwing = (thrown: unknown) => (): never => {
    throw thrown
  }
  const noJson = 'recall returned something that is not JSON'
  it.each<[string, Partial<EngineParts>, string, unknown, string]>([
    ['an unknown tool', parts, 'forget', {}, 'unknown tool: forget; known tools: recall'],
    ['an engine without tools', {}, 'recall', {}, 'unknown tool: recall; this engine has no tools'],
    ['arguments that are cut off', parts, 'recall', '{"q":', 'the arguments of recall are not valid JSON'],
    ['a tool that throws', answering(throwing(new Error('no'))), 'recall', {}, 'no'],
    [
      'a tool that throws nothing sensible',
      answering(throwing(Object.create(null))),
      ...(['recall', {}, 'something that cannot be shown was thrown'] as const),
    ],
    ['a tool that returns text', answering(async () => 'plain'), 'recall', {}, noJson],
    ['a tool that returns nothing', answering(async () => undefined as never), 'recall', {}, noJson],
    ['a list that throws', { ...parts, toolSchemas: throwing(new Error('gone')) }, 'recall', {}, 'gone'],
  ])('answers %s with an error in JSON', async (_, engineParts, name, args, error) => {
    const { session } = open(engineParts)
    expect(JSON.parse(await session.callTool(name, args))).toEqual({ error })
  })
})

describe('updateModel', () => {
  it('moves the limits and forgets the last count', async () => {
    const { session, events } = open()
    await session.prepare(talk(3))
    await session.observe({ usage: { promptTokens: 500 } })
    await session.updateModel({ contextLength: 400 })
    expect(session.engine.contextLength).toBe(400)
    await session.prepare(talk(3))
    expect(events.find(({ type }) => type === 'compaction')).toMatchObject({
      trigger: 'safety-net',
      estimate: { source: 'estimated' },
    })
    await expect(session.updateModel({ contextLength: 0 })).rejects.toThrow(InvalidOptionError)
  })
})
