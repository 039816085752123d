import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastTransactions, toolTransactions } from '../../src/index.ts'
import { brokenConversation, conversation } from '../arbitraries.ts'
import { counted } from '../counted.ts'

describe('toolTransactions', () => {
  it('covers every message once, in order, whatever the list', async () => {
    await counted(
      'transactions cover the list',
      fc.property(fc.oneof(conversation(), brokenConversation()), (messages) => {
        const transactions = toolTransactions(messages)
        expect(transactions.flatMap(({ start, end }) => messages.slice(start, end))).toEqual(messages)
        expect(transactions.every(({ start, end }) => end > start)).toBe(true)
      }),
      500,
    )
  })

  it('are the same from the last one on', async () => {
    await counted(
      'the last transactions are all of them',
      fc.property(fc.oneof(conversation(), brokenConversation()), (messages) => {
        expect([...lastTransactions(messages)].reverse()).toEqual(toolTransactions(messages))
      }),
      500,
    )
  })

  it('keeps the results with their calls in a valid conversation', async () => {
    await counted(
      'transactions split no tool call',
      fc.property(conversation(), (messages) => {
        for (const { start } of toolTransactions(messages)) {
          expect(messages[start]?.role).not.toBe('tool')
        }
      }),
      500,
    )
  })
})
