import type { WriteStream } from 'node:tty'

/** A line on a terminal that is written over and over, and gone in the end. */
export interface ProgressLine {
  show(text: string): void
  clear(): void
}

/** Writes nothing where nobody watches. */
export function createProgressLine(stream: WriteStream): ProgressLine {
  if (!stream.isTTY) return { show() {}, clear() {} }
  return {
    show: (text) => void stream.write(`\r\u001b[2K${text.slice(0, Math.max(0, stream.columns - 1))}`),
    clear: () => void stream.write('\r\u001b[2K'),
  }
}
