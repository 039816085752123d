import { describe, expect, it } from 'vitest'
import { closestName } from '../../src/options.ts'

describe('the name that was probably meant', () => {
  it.each([
    ['treshold', 'threshold'],
    ['treshhold', 'threshold'],
    ['compresion', 'compression'],
    ['Model', 'model'],
    ['MODEL', 'model'],
    ['modle', 'model'],
    ['hlep', 'help'],
    ['lmc', 'lcm'],
    ['sesions', 'sessions'],
    ['protect_last', 'protect_last_n'],
    ['ignoreCase', 'ignore_case'],
  ])('by %j is %j', (name, meant) => {
    expect(closestName(name, ['other', meant, 'something'])).toBe(meant)
  })

  it.each([
    ['bogus', 'focus'],
    ['list', 'use'],
    ['lcm', 'llm_model'],
    ['ab', 'ac'],
    ['', 'a'],
    ['colour', 'store'],
    ['memory', 'model'],
    ['terminal', 'threshold'],
  ])('by %j is not %j', (name, other) => {
    expect(closestName(name, [other])).toBeUndefined()
  })
})
