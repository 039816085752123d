import { describe, expect, it } from 'vitest'
import { createLocator } from '../../src/recall/locate.ts'
import { createSightings } from '../../src/recall/sightings.ts'
import { assistant, user, words } from './conversation.ts'

describe('the place of an identifier in a prompt', () => {
  const messages = [user('src/a.ts of two'), assistant('so: src/a.ts'), user('Go on then.')]
  const sightings = createSightings(['src/a.ts', 'fooBar'], messages)
  const placeOf = createLocator(messages, { sightings, tokens: words })

  it('is the last one, as the share of the tokens before it', () => {
    // 3 of 8 tokens are in the first message; 4 of the 12 characters of the second are before it.
    expect(placeOf('src/a.ts')).toBeCloseTo((3 + 2 * (4 / 12)) / 8)
  })

  it('is none where it does not stand', () => {
    expect(placeOf('fooBar')).toBeNull()
    expect(createLocator([], { sightings, tokens: words })('src/a.ts')).toBeNull()
  })
})
