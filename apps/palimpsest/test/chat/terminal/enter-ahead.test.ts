import { expect, it } from 'vitest'
import { enterAhead } from '../../../src/chat/terminal/run-terminal.ts'

function passed(...pieces: string[]): string[] {
  const all: string[] = []
  const enter = enterAhead((data) => all.push(data))
  for (const piece of pieces) enter(piece)
  return all
}

it.each([
  ['sends a line that was typed ahead', ['which port?\n', 'a\n'], ['which port?\r', 'a\n']],
  ['also before an answer of the terminal', ['which port?\n\x1b[?1;2c'], ['which port?\r\x1b[?1;2c']],
  ['keeps what is not done yet', ['which port?\nand wh'], ['which port?\nand wh']],
  ['sends several lines as one text', ['a\nb\n'], ['a\nb\r']],
])('%s', (_name, pieces, expected) => {
  expect(passed(...pieces)).toEqual(expected)
})
