import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  checkCompression,
  compactedResult,
  keptResult,
  roughTokenCounter as tokens,
} from '../../src/index.ts'
import { conversation, deepFreeze } from '../arbitraries.ts'
import { counted } from '../counted.ts'

it('results made by the helpers obey invariants 2, 5 and 6', async () => {
  await counted(
    'invariants 2, 5 and 6, results of the helpers',
    fc.property(conversation(), fc.nat(), fc.nat(), fc.boolean(), (messages, from, length, frozen) => {
      const input = structuredClone(messages)
      if (frozen) deepFreeze(input)
      const start = from % input.length
      const after = input.toSpliced(start, Math.min(length % 5, input.length - 1 - start))
      const result = compactedResult({ before: input, after, tokens, reason: 'test' })
      expect(checkCompression(input, result, tokens)).toEqual([])
      if (result.outcome === 'compacted') {
        expect(result.tokensAfter).toBeLessThan(result.tokensBefore)
      } else expect(result).toMatchObject({ outcome: 'unchanged', reason: 'no-gain' })
      expect(checkCompression(input, keptResult('aborted', 'test', input, tokens), tokens)).toEqual([])
      expect(input).toEqual(messages)
    }),
    500,
  )
})
