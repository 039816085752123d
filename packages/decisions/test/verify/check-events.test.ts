import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SaidEvent } from '../../src/log/decision-event.ts'
import { eventId } from '../../src/log/ids.ts'
import { makeSource } from '../../src/log/source.ts'
import { asserted, message, messages, texts, withdrawn } from '../../src/store-tests/harness/talk.ts'
import { checkEvents } from '../../src/verify/check-events.ts'
import { REJECTED } from './damages.ts'

const said = messages(0, ...texts(4))
const messageAt = (index: number) => said[index]

describe('checkEvents', () => {
  it('lets events through whose quotes stand in their messages, imports with a sound hash, and withdrawals', () => {
    const events = [
      ...said.map((each) => asserted('a', each)),
      { ...asserted('elsewhere', message(99, 'imported')), by: 'import' as const },
      withdrawn('a', 2, 0),
    ]
    expect(checkEvents(events, messageAt)).toEqual({ events, faults: [] })
  })

  for (const [what, code, event] of REJECTED)
    it(`rejects ${what}, and nothing else of its batch`, () => {
      const sound = said.map((each) => asserted('a', each))
      const batch = [...sound.slice(0, 2), event as SaidEvent, ...sound.slice(2)]
      const { events, faults } = checkEvents(batch, messageAt)
      expect(events).toEqual(sound)
      expect(faults).toMatchObject([{ code }])
    })

  it('rejects a quote that is moved by a character or changed in one, whatever the text is', () => {
    let rejected = 0
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 3, maxLength: 60 }).filter((text) => text.trim().length > 2),
        fc.nat(),
        fc.nat(),
        (text, first, second) => {
          const whole = message(0, text)
          const [start, end] = [first % text.length, second % text.length].sort((a, b) => a - b) as [
            number,
            number,
          ]
          const event = withSource(asserted('a', whole), start, end + 1)
          const at = () => whole
          const isBlank = text.slice(start, end + 1).trim() === ''
          expect(checkEvents([event], at).events).toHaveLength(isBlank ? 0 : 1)
          const other = `${text.slice(0, end)}${String.fromCharCode(text.charCodeAt(end) ^ 1)}${text.slice(end + 1)}`
          expect(checkEvents([event], () => ({ ...whole, text: other })).events).toEqual([])
          expect(checkEvents([event], () => ({ ...whole, text: text.slice(0, end) })).events).toEqual([])
          rejected += 2
        },
      ),
    )
    expect(rejected).toBeGreaterThan(100)
  })
})

function withSource(event: SaidEvent, start: number, end: number): SaidEvent {
  const whole = message(0, event.source.quote)
  const { session, edition } = event.source
  const moved = { ...event, source: makeSource(whole, { session, edition, start, end }) }
  return { ...moved, id: eventId(moved) }
}
