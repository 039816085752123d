import type { WriteStream } from 'node:tty'
import { expect, it } from 'vitest'
import { createProgressLine } from '../../src/cli/progress-line.ts'

function written(isTTY: boolean): string {
  let text = ''
  const stream = { isTTY, columns: 10, write: (piece: string) => (text += piece) }
  const line = createProgressLine(stream as unknown as WriteStream)
  line.show('C01  0 of 100')
  line.clear()
  return text
}

it('stays on one line of a terminal, and is gone in the end', () => {
  expect(written(true)).toBe('\r\u001b[2KC01  0 of\r\u001b[2K')
})

it('is not there where nobody watches', () => {
  expect(written(false)).toBe('')
})
