import { describe, expect, it } from 'vitest'
import { createTopicWatch } from '../../src/placement/topic-shift.ts'

/** Six messages about one thing. */
const CHECKOUT = [
  'The checkout form must validate the postal address before payment.',
  'I added address validation to the checkout form, payment waits for it.',
  'Does the checkout form show the payment errors below the address?',
  'The checkout shows payment errors below the postal address now.',
  'Please test the checkout form with a foreign postal address.',
  'The checkout form accepts a foreign postal address, payment works.',
]

function watching(messages: readonly string[] = CHECKOUT) {
  const watch = createTopicWatch()
  for (const [index, text] of messages.entries()) watch.read(text, index % 2 === 0)
  return watch
}

describe('a topic', () => {
  it.each([
    'Now write documentation about deploying kubernetes clusters through terraform modules.',
    'Moving on: the checkout form has another payment error.',
    "Let's move on to the next screen.",
    'New topic, please.',
    '换个话题吧',
    'Anderes Thema: wie deployen wir?',
  ])('shifts with "%s"', (text) => {
    const watch = watching()
    expect(watch.hasShifted).toBe(false)
    watch.read(text, true)
    expect(watch.hasShifted).toBe(true)
  })

  it.each([
    ['goes on about it', 'The payment of the checkout form fails for addresses without a postal code.'],
    ['says too little to tell', 'Fine, ship kubernetes.'],
    ['says nothing', ''],
  ])('does not shift when the user %s', (_, text) => {
    const watch = watching()
    watch.read(text, true)
    expect(watch.hasShifted).toBe(false)
  })

  it('does not shift at the beginning, where there is nothing to compare with', () => {
    const watch = watching(CHECKOUT.slice(0, 4))
    watch.read('Now write documentation about deploying kubernetes clusters through terraform modules.', true)
    expect(watch.hasShifted).toBe(false)
  })

  it('does not shift by what the assistant says, and has shifted only until the next message', () => {
    const watch = watching()
    watch.read('Moving on: kubernetes clusters need terraform modules for deployment.', false)
    expect(watch.hasShifted).toBe(false)
    watch.read('Unrelated: which terraform modules do kubernetes clusters need?', true)
    expect(watch.hasShifted).toBe(true)
    watch.read('Which terraform modules do these kubernetes clusters have, then?', true)
    expect(watch.hasShifted).toBe(false)
  })

  it('is forgotten with the conversation', () => {
    const watch = watching()
    watch.read('New topic, please.', true)
    watch.clear()
    expect(watch.hasShifted).toBe(false)
    watch.read('Now write documentation about deploying kubernetes clusters through terraform modules.', true)
    expect(watch.hasShifted).toBe(false)
  })
})
