import { expect, it } from 'vitest'
import { readInput } from '../../../src/chat/commands/chat-command.ts'
import { CHAT_COMMANDS } from '../../../src/chat/commands/chat-commands.ts'

const read = (text: string) => readInput(text, CHAT_COMMANDS, (path) => path === '/tmp')

it.each([
  ['/compress', 'compress', ''],
  ['/compress  the database choice ', 'compress', 'the database choice'],
  ['  /NEW  ', 'new', ''],
  ['/compress the port\nand the host', 'compress', 'the port\nand the host'],
])('%j is a command', (text, name, argument) => {
  expect(read(text)).toMatchObject({ kind: 'command', command: { name }, argument })
})

it.each([
  '/etc/hosts is wrong, why?',
  '/tmp is full',
  '/package.json has no license',
  '/',
  '// a comment',
  '/* a comment */',
  '/2 of them',
  'what does /compress do?',
  '',
])('%j is said to the model', (text) => {
  expect(read(text)).toEqual({ kind: 'message', text })
})

it.each([
  ['/stauts', 'status'],
  ['/hlep', 'help'],
  ['/undoo', 'undo'],
  ['/rest', 'reset'],
  ['/constext', 'context'],
  ['/deploy now', undefined],
  ['/xy', undefined],
])('%j is no command, and never sent', (text, closest) => {
  const meant = read(text)
  expect(meant.kind).toBe('unknown')
  expect(meant.kind === 'unknown' && meant.closest).toBe(closest)
})

it('tells commands apart, and describes each', () => {
  const names = CHAT_COMMANDS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, help } of CHAT_COMMANDS) {
    expect(name).toMatch(/^[a-z]+$/)
    expect(help.length).toBeGreaterThan(10)
  }
})
