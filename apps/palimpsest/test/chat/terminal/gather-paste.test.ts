import { expect, it } from 'vitest'
import { gatherPaste } from '../../../src/chat/terminal/run-terminal.ts'

function passed(...pieces: string[]): string[] {
  const all: string[] = []
  const gather = gatherPaste((data) => all.push(data))
  for (const piece of pieces) gather(piece)
  return all
}

it.each([
  ['keys as they come', ['a', '\x1b[A', '\x03'], ['a', '\x1b[A', '\x03']],
  ['a paste that comes whole', ['\x1b[200~x\x1b[201~'], ['\x1b[200~x\x1b[201~']],
  [
    'a paste in pieces, with what is around it',
    ['k\x1b[200~x', 'y', 'z\x1b[201~q', 'r'],
    ['k\x1b[200~xyz\x1b[201~q', 'r'],
  ],
  ['an end in two pieces', ['\x1b[200~x', 'y\x1b[2', '01~'], ['\x1b[200~xy\x1b[201~']],
  ['an end letter by letter', ['\x1b[200~x', ...'\x1b[201~', 'q'], ['\x1b[200~x\x1b[201~', 'q']],
  ['an end right behind the start', ['\x1b[200~', '\x1b[201~', 'a'], ['\x1b[200~\x1b[201~', 'a']],
  [
    'a second paste behind the first',
    ['\x1b[200~x\x1b[201~\x1b[200~y', '\x1b[201~'],
    ['\x1b[200~x\x1b[201~\x1b[200~y\x1b[201~'],
  ],
])('passes on %s', (_name, pieces, expected) => {
  expect(passed(...pieces)).toEqual(expected)
})
