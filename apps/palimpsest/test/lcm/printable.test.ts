import { expect, it } from 'vitest'
import { printable, printableLines } from '../../src/lcm/printable.ts'

it('shows what a terminal would obey instead of letting it', () => {
  expect(printable('a\u001b[2Jb\u0007')).toBe('a␛[2Jb␇')
  expect(printable('one\n two\ttabs')).toBe('one ⏎ two tabs')
  expect(printableLines('one\r\n\ttwo\u009b1m')).toBe('one\n\ttwo\ufffd1m')
  // A file whose name reads backwards: "exe.txt" that is "txt.exe".
  expect(printable('\u202Etxt.exe\u2066')).toBe('\ufffdtxt.exe\ufffd')
  expect(printable('naïve 漢字 👩‍👩‍👧')).toBe('naïve 漢字 👩‍👩‍👧')
})
