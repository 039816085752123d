import { describe, expect, it } from 'vitest'
import { copyMessages, freezeMessage, type Message } from '../../src/index.ts'

const message = (): Message => ({
  role: 'user',
  content: [{ type: 'text', text: 'hello' }],
  providerData: { host: { list: [1, 2] } },
})

describe('copyMessages', () => {
  it('shares nothing that can change', () => {
    const original = message()
    const [copy] = copyMessages([original])
    expect(copy).toEqual(original)
    expect(copy).not.toBe(original)
    expect(copy?.content).not.toBe(original.content)
  })

  it('shares what is frozen in depth', () => {
    const frozen = freezeMessage(message())
    expect(copyMessages([frozen])[0]).toBe(frozen)
  })
})

describe('freezeMessage', () => {
  it('freezes in depth, also below a part that was frozen before', () => {
    const original = message()
    const list: number[] = []
    const providerData = Object.freeze({ host: { list } })
    freezeMessage({ ...original, providerData })
    expect(Object.isFrozen(list)).toBe(true)
  })
})
