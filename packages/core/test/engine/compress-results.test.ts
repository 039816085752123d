import { expect, it } from 'vitest'
import { checkCompression, compactedResult, type Message, roughTokenCounter } from '../../src/index.ts'

const long = 'word '.repeat(200)
const thinking = (content: string): Message =>
  ({ role: 'assistant', content, reasoning_content: 'Hm.' }) as Message

it('says where a list differs that shows reasoning which the host has not any more', () => {
  const before: Message[] = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'first' },
    { role: 'user', content: long },
    { role: 'assistant', content: long },
    { role: 'user', content: 'three' },
  ]
  const after: Message[] = [
    { role: 'user', content: 'one' },
    thinking('first'),
    { role: 'user', content: 'short' },
    { role: 'assistant', content: 'short' },
    { role: 'user', content: 'three' },
  ]
  const result = compactedResult({ before, after, tokens: roughTokenCounter, reason: 'summarised' })
  expect(result).toMatchObject({ outcome: 'compacted', changedFrom: 2 })
  expect(checkCompression(before, result, roughTokenCounter)).toEqual([])
})
