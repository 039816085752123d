import { describe, expect, it } from 'vitest'
import { type ContractTarget, planContract } from '../src/index.ts'

describe('a target that nothing can be said about', () => {
  it.each([
    ['nothing', undefined, 'needs { name, create, expectCapabilities }'],
    ['no name', { create: () => {}, expectCapabilities: [] }, 'needs { name, create'],
    ['no create', { name: 'x', expectCapabilities: [] }, 'needs { name, create'],
    [
      'no expectation',
      { name: 'x', create: () => {} },
      'needs expectCapabilities: what "x" must be able to do',
    ],
  ])('is refused: %s', (_, target, text) => {
    expect(() => planContract(target as unknown as ContractTarget)).toThrow(text)
  })
})
