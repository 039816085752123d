import { type Message, toolTransactions } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { lastTransactions } from '../../src/arms/bounds.ts'
import { conversations } from './conversations.ts'

describe('the transactions from the end', () => {
  it('are those from the beginning, the other way round', () => {
    const result: Message = { role: 'tool', tool_call_id: 'a', content: 'without a call' }
    const user: Message = { role: 'user', content: 'Go on.' }
    for (const messages of [...conversations, [], [result], [result, result, user, result, result]])
      expect([...lastTransactions(messages)]).toEqual(toolTransactions(messages).reverse())
  })

  it('read no further than is asked for', () => {
    const [system, ...rest] = conversations[0] ?? []
    if (system === undefined) throw new Error('a conversation expected')
    const read: string[] = []
    const first = new Proxy(system, {
      get(message, key, receiver) {
        read.push(String(key))
        return Reflect.get(message, key, receiver)
      },
    })
    const transactions = lastTransactions([first, ...rest])
    expect(transactions.next().value?.end).toBe(rest.length + 1)
    expect(read).toEqual([])
  })
})
