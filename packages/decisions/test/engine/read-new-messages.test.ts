import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { BEGINNING, readNewMessages } from '../../src/engine/read-new-messages.ts'

const start = { from: 0, newFrom: 0, worthFrom: 0 }

describe('the calls of one message', () => {
  it('are looked at as often with many results as with few', async () => {
    const looks = async (count: number) => {
      let sum = 0
      const list = Array.from({ length: count }, (_, index) => ({
        id: `c${index}`,
        type: 'function' as const,
        function: { name: 'read', arguments: `{"path":"src/a${index}.ts"}` },
      }))
      const message: Message = { role: 'assistant', content: null }
      Object.defineProperty(message, 'tool_calls', {
        get() {
          sum++
          return list
        },
      })
      const results = list.map(
        ({ id }): Message => ({ role: 'tool', tool_call_id: id, content: 'Error: no' }),
      )
      const { touches } = await readNewMessages([message, ...results], { ...start, state: BEGINNING })
      expect(touches).toHaveLength(count)
      expect(touches.every(({ failed }) => failed)).toBe(true)
      return sum
    }
    expect(await looks(100)).toBe(await looks(10))
  })
})
