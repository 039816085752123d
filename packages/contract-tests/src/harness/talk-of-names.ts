import type { Message } from '@palimpsest/core'
import { assistant, calls, once, result, system, user } from './conversations.ts'

/** Names needed to find their objects again. The user says them in one turn, and nobody repeats them. */
export const NAMES: readonly string[] = [
  'src/ledger/rounding-mode.ts',
  'E_ROUNDING_4711',
  '9f86d081884c7d65',
  'https://example.com/issues/4711',
]

const DAYS = 40
const DAY_OF_NAMES = 12

/**
 * About 13,000 tokens of plain prose with few calls, except for the names in its middle: a summary has room for all of
 * them. Frozen.
 */
export const talkOfNames = (): readonly Message[] =>
  once('talk of names', () => {
    const days = Array.from({ length: DAYS }, (_, index) => dayOf(index + 1)).flat()
    return [system(), ...days, user('Thank you. What should we look at next?')]
  })

function dayOf(day: number): Message[] {
  const noted = day === DAY_OF_NAMES ? ` I noted ${NAMES.join(' and ')}.` : ''
  const question = user(`And what happened on day ${day} of the journey?${noted}`)
  const prose = `On day ${day} we walked. ${'The road went along the river and we were in no hurry. '.repeat(20)}`
  const look = day % 10 === 0 ? [calls(`weather_${day}`), result(`weather_${day}`, 'It was sunny.')] : []
  return [question, ...look, assistant(prose)]
}
