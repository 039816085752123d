import { expect, it, onTestFinished } from 'vitest'
import { createTerminalGuard } from '../../../src/chat/terminal/run-terminal.ts'

const EVENTS = ['exit', 'uncaughtException', 'unhandledRejection'] as const

it('gives the terminal back before anything is said of a crash, and keeps what is printed on the screen', () => {
  const before = globalThis.console
  const listeners = () => EVENTS.map((event) => process.listeners(event as 'exit'))
  const own = listeners()
  const seen: string[] = []
  const guard = createTerminalGuard()
  onTestFinished(() => guard.end())
  guard.begin({ print: (text) => seen.push(text), stop: () => seen.push('given back') })

  console.log('an engine says %s', 'hello')
  expect(seen).toEqual(['an engine says hello'])
  const [atExit, atException, atRejection] = listeners()
  atExit?.at(-1)?.(1)
  atException?.[0]?.(1)
  atRejection?.[0]?.(1)
  expect(seen.slice(1)).toEqual(['given back', 'given back', 'given back'])

  guard.end()
  expect(globalThis.console).toBe(before)
  expect(listeners()).toEqual(own)
})
