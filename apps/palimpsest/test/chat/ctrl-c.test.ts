import { expect, it } from 'vitest'
import type { TurnOptions } from '../../src/chat/chat-agent.ts'
import { openChat } from './open-chat.ts'
import { KEYS } from './virtual-terminal.ts'

const LEAVE_HINT = 'Press Ctrl-C again to leave.'

/** As an agent stops: cleanly, when it hears of it. */
function untilStopped({ signal }: Pick<TurnOptions, 'signal'>): Promise<{ reason: 'stopped'; text: string }> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ reason: 'stopped', text: '' }))
  })
}

it.each([
  ['Ctrl-C', KEYS.ctrlC],
  ['Esc', KEYS.escape],
])('%s stops the turn, with one line, and gives back what waited', async (_name, key) => {
  const { terminal, agent } = await openChat({ answer: (_text, options) => untilStopped(options) })
  terminal.say('first')
  terminal.say('second')
  await terminal.shows('waits: second')
  terminal.press(...'third', key)
  const all = await terminal.shows('stopped\n────')
  expect(all.match(/stopped/g)).toHaveLength(1)
  await terminal.shows('────\nsecond\nthird')
  terminal.press(KEYS.enter)
  await expect.poll(() => agent().calls).toEqual(['say first', 'say second\nthird'])
})

it('Ctrl-C at an empty prompt asks once, and leaves the second time', async () => {
  const { terminal, ended } = await openChat()
  terminal.press(KEYS.ctrlC)
  await terminal.shows(LEAVE_HINT)
  terminal.press('x')
  await expect.poll(async () => (await terminal.lines()).join('\n')).not.toContain(LEAVE_HINT)
  terminal.press('\x7f', KEYS.ctrlC)
  await terminal.shows(LEAVE_HINT)
  expect(terminal.isOn).toBe(true)
  terminal.press(KEYS.ctrlC)
  expect(await ended).toEqual({ id: 'session-1', isResumable: false })
})

it('Ctrl-C leaves an agent that does not hear that it was stopped, when it is pressed twice more', async () => {
  const { terminal, ended, agent } = await openChat({ answer: () => new Promise(() => {}) })
  terminal.say('hang')
  await terminal.shows('working, Esc stops')
  terminal.press(KEYS.ctrlC)
  await terminal.shows('stopping')
  terminal.press(KEYS.ctrlC)
  await terminal.shows('Still stopping: Ctrl-C again leaves.')
  terminal.press(KEYS.ctrlC)
  await ended
  expect(agent().calls).toEqual(['say hang', 'close'])
})

it('Ctrl-D at an empty prompt leaves, but not while something runs or is written', async () => {
  const { terminal, ended } = await openChat({ answer: (_text, options) => untilStopped(options) })
  terminal.press('x', KEYS.ctrlD, '\x7f')
  terminal.say('go')
  await terminal.shows('working')
  terminal.press(KEYS.ctrlD)
  await terminal.shows('Something runs: Ctrl-C stops it.')
  terminal.press(KEYS.ctrlC)
  await terminal.shows('stopped')
  terminal.press(KEYS.ctrlD)
  expect(await ended).toMatchObject({ isResumable: true })
})
