import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTechnologies } from '../../src/slots/find-technologies.ts'
import { slotOfWord } from '../../src/slots/slot-lookup.ts'
import { SLOTS } from '../../src/slots/slot-table.ts'
import { cardinalityOf, sameValue, slotOfValue, slotTitle } from '../../src/slots/slots.ts'
import { technologies } from '../../src/slots/technologies.ts'

describe('slotOfValue', () => {
  it('knows other spellings, and the version', () => {
    expect(slotOfValue('postgres')).toEqual({ slot: 'datastore', value: 'PostgreSQL' })
    expect(slotOfValue(' Postgres 16 ')).toEqual({ slot: 'datastore', value: 'PostgreSQL 16' })
    expect(slotOfValue('snake-case')).toEqual({ slot: 'naming', value: 'snake_case' })
    expect(slotOfValue('gh actions')).toEqual({ slot: 'ci', value: 'GitHub Actions' })
  })

  it('knows nothing of other values', () => {
    for (const value of ['', 'Foobar', '__proto__', 'constructor', 'postgres and mysql', 'x'.repeat(10_000)])
      expect(slotOfValue(value)).toBeUndefined()
    expect(slotOfValue(null as unknown as string)).toBeUndefined()
  })
})

describe('sameValue', () => {
  it('is one for spellings, and for a version that only one of them names', () => {
    expect(sameValue('datastore', 'postgres', 'PostgreSQL')).toBe(true)
    expect(sameValue('datastore', 'postgres', 'PostgreSQL 16')).toBe(true)
    expect(sameValue('datastore', 'postgres 15', 'PostgreSQL 16')).toBe(false)
    expect(sameValue('datastore', 'MySQL', 'PostgreSQL')).toBe(false)
  })

  it('takes free values by their words', () => {
    expect(sameValue('setting:timeout', '30 s', '30s')).toBe(true)
    expect(sameValue('setting:timeout', '30 s', '31 s')).toBe(false)
    expect(sameValue('rule:x', 'Never push.', 'never push')).toBe(true)
  })

  it('is the same both ways round', () => {
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('postgres', 'PostgreSQL 16', 'pg', 'node 20', '30 s', 'Redis'),
    )
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(sameValue('datastore', a, b)).toBe(sameValue('datastore', b, a))
        expect(sameValue('datastore', a, a)).toBe(true)
      }),
    )
  })
})

describe('slots', () => {
  it('hold one value, but for rules and libraries', () => {
    expect(cardinalityOf('datastore')).toBe('one')
    expect(cardinalityOf('setting:timeout')).toBe('one')
    expect(cardinalityOf('rule:never-push')).toBe('many')
    expect(cardinalityOf('library')).toBe('many')
  })

  it('have names for readers', () => {
    expect(slotTitle('package-manager')).toBe('package manager')
    expect(slotTitle('setting:max-retries')).toBe('max retries')
    expect(slotTitle('name:getUser')).toBe('name of getuser')
    expect(slotTitle('rule:never-push')).toBe('rule')
    expect(slotTitle('ci')).toBe('CI')
  })
})

describe('the dictionary', () => {
  it(`has words for most slots (${technologies().size} spellings, ${SLOTS.length} slots)`, () => {
    expect(technologies().size).toBeGreaterThan(1500)
    expect(slotOfWord('primary store')).toBe('datastore')
    expect(slotOfWord('Package-Manager')).toBe('package-manager')
  })

  it('finds every spelling where it stands alone', () => {
    const lost = [...technologies()].filter(([key, { name }]) => {
      const [found] = findTechnologies(key.length === 1 ? key.toUpperCase() : key)
      return found === undefined || !found.value.startsWith(name)
    })
    expect(lost.map(([key]) => key)).toEqual([])
  })

  it('takes everyday words only with their capitals', () => {
    const sure = (text: string) =>
      findTechnologies(text).map(({ technology, sure }) => [technology.name, sure])
    expect(sure('use Go here')).toEqual([['Go', true]])
    expect(sure('and go there')).toEqual([['Go', false]])
  })
})
