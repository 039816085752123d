import { checkSequence, messageText } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { GREP_CASES } from '../../src/scale/measure-grep.ts'
import { laterMessages, RARE_WORD, rareSession, sessionMessages } from '../../src/scale/scale-workload.ts'

const workload = { seed: 1, sessions: 6, length: 300 }
const sessions = Array.from({ length: workload.sessions }, (_, number) => [
  ...sessionMessages(workload, number),
])

describe('sessionMessages', () => {
  it('are valid conversations that differ, the same in every run', () => {
    for (const messages of sessions) expect(checkSequence(messages)).toEqual([])
    expect(new Set(sessions.map((messages) => JSON.stringify(messages[1]))).size).toBe(workload.sessions)
    expect([...sessionMessages(workload, 4)]).toEqual(sessions[4])
  })

  it('hold everything rare in one message of one session', () => {
    const texts = sessions.map((messages) => messages.map(messageText))
    const holding = texts.map((list) => list.filter((text) => text.includes(RARE_WORD)).length)
    expect(holding).toEqual(holding.map((_, number) => (number === rareSession(workload) ? 1 : 0)))
    const [text = ''] = (texts[rareSession(workload)] ?? []).filter((one) => one.includes(RARE_WORD))
    for (const { query } of GREP_CASES.filter(({ isRare }) => isRare)) expect(text).toMatch(new RegExp(query))
  })

  it('go on with something new', () => {
    const later = laterMessages({ seed: 1 }, 0)
    const first = later.next().value
    expect(first?.role).toBe('user')
    expect(sessions[0]).not.toContainEqual(first)
  })
})
