import { expect, it } from 'vitest'
import type { Confirmation, Consent } from '../../src/chat/chat-agent.ts'
import { GRACE_MS } from '../../src/chat/chat-screen.ts'
import { openChat } from './open-chat.ts'
import { KEYS } from './virtual-terminal.ts'

const COMMAND: Confirmation = { kind: 'run', subject: 'rm -r build\necho done' }
const EDIT: Confirmation = {
  kind: 'edit',
  subject: 'src/config.ts',
  diff: '--- src/config.ts\n+++ src/config.ts\n@@ -1 +1 @@\n-const port = 8080\n+const port = 9090\n',
}

/** A chat whose agent asks questions in a turn, and tells what it was answered. */
async function asked(...questions: Confirmation[]) {
  const answers: Consent[] = []
  const chat = await openChat({
    answer: async (_text, { confirm, signal }) => {
      for (const question of questions) answers.push(await confirm(question, signal))
      return signal.aborted ? { reason: 'stopped', text: '' } : 'the end'
    },
  })
  chat.terminal.say('go')
  await chat.terminal.shows(questions[0]?.kind === 'run' ? 'Run it?' : 'Allow it?')
  return { ...chat, answers }
}

it.each([
  ['y', 'yes', 'allowed'],
  ['a', 'always', 'allowed, and not asked about again'],
  ['n', 'no', 'not allowed'],
  // What a hasty Enter does must be harmless.
  [KEYS.enter, 'no', 'not allowed'],
])('shows the whole command, and %j answers %s', async (key, consent, line) => {
  const { terminal, answers, wait } = await asked(COMMAND)
  await terminal.shows('The agent wants to run this command:\n  rm -r build\n  echo done')
  wait(GRACE_MS)
  terminal.press(key)
  await terminal.shows(line)
  await terminal.shows('the end')
  expect(answers).toEqual([consent])
})

it('shows what an edit would change', async () => {
  const { terminal, answers, wait } = await asked(EDIT, COMMAND)
  const all = await terminal.shows('+const port = 9090')
  expect(all).toContain('src/config.ts')
  expect(all).toContain('-const port = 8080')
  expect(all).not.toContain('rm -r build')
  wait(GRACE_MS)
  terminal.press('y')
  await terminal.shows('Run it?')
  wait(GRACE_MS)
  terminal.press(KEYS.down, KEYS.enter)
  await terminal.shows('the end')
  expect(answers).toEqual(['yes', 'yes'])
})

it.each([
  ['Esc', KEYS.escape],
  ['Ctrl-C', KEYS.ctrlC],
])('%s is no, and stops the turn, also what it would have asked next', async (_name, key) => {
  const { terminal, answers, ended } = await asked(EDIT, COMMAND)
  terminal.press(key)
  await terminal.shows('stopped')
  expect(answers).toEqual(['no', 'no'])
  terminal.press(KEYS.ctrlD)
  await ended
})

it('does not take keys for an answer that were meant for the text being written', async () => {
  const { terminal, answers, wait } = await asked(COMMAND)
  terminal.press('y', 'a', KEYS.enter)
  wait(GRACE_MS - 1)
  terminal.press('y')
  await new Promise((resolve) => setImmediate(resolve))
  expect(answers).toEqual([])
  wait(1)
  terminal.press('n')
  await terminal.shows('the end')
  expect(answers).toEqual(['no'])
})
