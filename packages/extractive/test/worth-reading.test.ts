import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createIdentifierMemory, worthReading } from '../src/index.ts'

const FILLER = `${'word '.repeat(20_000)}\n`

/** 100 turns of 100,000 characters each. */
const history = Array.from({ length: 100 }, (_, turn): Message[] => {
  const id = `c${turn}`
  const call = {
    id,
    type: 'function' as const,
    function: { name: 'read', arguments: `{"path":"in${turn}.ts"}` },
  }
  return [
    { role: 'user', content: `Now look at asked${turn}.ts` },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: `${FILLER}found${turn}.ts` },
  ]
}).flat()

describe('a history that comes at once', () => {
  it('is read whole up to eight million characters', () => {
    const short = history.slice(0, 3 * 79)
    expect(worthReading(short)).toBe(short)
  })

  it('is read as far as its last eight million characters go, and what the user said before', () => {
    const read = worthReading(history)
    expect(read.filter(({ role }) => role === 'user')).toHaveLength(100)
    expect(read.filter(({ role }) => role === 'tool')).toEqual(
      history.filter(({ role }) => role === 'tool').slice(-80),
    )
  })

  it('leaves old output out of the names that are remembered, and counts turns and messages on', async () => {
    const memory = createIdentifierMemory()
    await memory.addInSlices(history, 0)
    const known = ['asked0.ts', 'found0.ts', 'in0.ts', 'found99.ts', 'in99.ts']
    expect(known.map((name) => memory.worthOf(name) !== undefined)).toEqual([true, false, false, true, true])
    expect(memory.messages).toBe(history.length)
    expect(memory.turnOf(history.at(-1) as Message)).toBe(100)
  })
})
