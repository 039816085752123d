import { describe, expect, it } from 'vitest'
import { simulate } from '../../src/simulate/simulate.ts'
import { calls, layoutOf, TEST_PRICING } from '../layouts.ts'
import { at, conversation, EXACT, PER_BLOCK, reads, SECOND, tail } from './session-kit.ts'

describe('how far a breakpoint looks back', () => {
  const ten = layoutOf({ messages: conversation(10) })
  const fifteen = layoutOf({ messages: conversation(15) })
  const thirtyFive = layoutOf({ messages: conversation(35) })

  it('case 25: written at block 10, found from 15, missed from 35 unless 15 is marked again', () => {
    const first = { layout: ten, markers: [at(ten, 9)], at: 0 }
    const second = { layout: fifteen, markers: [at(fifteen, 14)], at: SECOND }
    const far = { layout: thirtyFive, markers: [at(thirtyFive, 34)], at: 2 * SECOND }
    const near = { ...far, markers: [at(thirtyFive, 14), at(thirtyFive, 34)] }
    expect(simulate([first, second, far], TEST_PRICING).bills.map(({ read }) => read)).toEqual([0, 2000, 0])
    expect(simulate([first, second, near], TEST_PRICING).bills.map(({ read }) => read)).toEqual([
      0, 2000, 3000,
    ])
  })

  it.each([
    [18, 2000],
    [19, 2000],
    [20, 0],
  ])('case 26: %i positions behind what is cached, %i tokens are read', (distance, read) => {
    const later = layoutOf({ messages: conversation(10 + distance) })
    const requests = [
      { layout: ten, at: 0 },
      { layout: later, at: SECOND },
    ]
    expect(reads(requests, TEST_PRICING)[1]).toBe(read)
    expect(reads(requests, PER_BLOCK)[1]).toBe(read)
  })

  it('case 28: twelve parallel calls and their results are two positions on the Claude API, 24 elsewhere', () => {
    const before = conversation(10)
    const requests = [
      { layout: layoutOf({ messages: before }), at: 0 },
      { layout: layoutOf({ messages: [...before, ...calls('call', 12, 50)] }), at: SECOND },
    ]
    expect(reads(requests, TEST_PRICING)[1]).toBe(2000)
    expect(reads(requests, PER_BLOCK)[1]).toBe(0)
    expect(reads(requests, EXACT)[1]).toBe(0)
  })

  it('finds nothing below the minimum, and writes nothing there', () => {
    const short = layoutOf({ messages: conversation(5) })
    const six = layoutOf({ messages: conversation(6) })
    const requests = [0, 1, 2].map((second) => ({ layout: short, at: second * SECOND }))
    expect(reads(requests)).toEqual([0, 0, 0])
    const marked = { layout: six, markers: [at(six, 4), at(six, 5)], at: 3 * SECOND }
    expect(
      simulate(
        [...requests.map((each) => ({ ...each, markers: [tail(short)] })), marked],
        TEST_PRICING,
      ).bills.at(-1),
    ).toMatchObject({ read: 0, write5m: 1200 })
  })
})
