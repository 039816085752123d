import { StringDecoder } from 'node:string_decoder'

/** The beginning and the end of an output of any length. */
export interface OutputWindow {
  add(bytes: Buffer): void
  /** The kept text, with a line that says how much is left out. */
  text(): string
}

/**
 * Holds the first third and the last two thirds of what it is given: the beginning says what was done, the end how it
 * went.
 *
 * @param characters that are held at most.
 */
export function createOutputWindow(characters: number): OutputWindow {
  const decoder = new StringDecoder('utf8')
  const headRoom = Math.floor(characters / 3)
  const tailRoom = characters - headRoom
  let head = ''
  let tail = ''
  let dropped = 0

  const add = (text: string) => {
    const first = text.slice(0, headRoom - head.length)
    head += first
    tail += text.slice(first.length)
    // Not with every piece, so that many small ones cost no copy each.
    if (tail.length > tailRoom * 2) cutTail()
  }
  const cutTail = () => {
    const excess = tail.length - tailRoom
    if (excess <= 0) return
    dropped += excess
    tail = tail.slice(excess)
  }

  return {
    add: (bytes) => add(decoder.write(bytes)),
    text() {
      add(decoder.end())
      cutTail()
      if (dropped === 0) return head + tail
      return `${head.toWellFormed()}\n… (${dropped} characters are left out here; let the command write to a file to see all of it) …\n${tail.toWellFormed()}`
    },
  }
}
